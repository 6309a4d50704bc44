package io.neardup.tools.audit;

import static io.neardup.testing.Records.header;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.config.Signing;
import io.neardup.engine.similarity.Similarity;
import io.neardup.record.InputRecord;
import io.neardup.record.RecordHeader;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Position;
import io.neardup.record.Verdict.Repeated;
import io.neardup.record.VerdictCodec;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.VerdictStories;
import io.neardup.tools.audit.PromiseReport.Break;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Originals that are unlike each other, and a copy of each; what is wrong is put among them. */
class DocumentsCheckTest {
    private static final long MUCH = 1L << 30;
    private static final long DAY_MILLIS = 86_400_000L;
    /** Long enough to have some shingles, and unlike all that are generated. */
    private static final String TEXT = "a text that is long enough to have some shingles";

    private final NeardupConfig config = NeardupConfig.of(new Settings());
    private final List<InputRecord> outputs = new ArrayList<>();
    private final Set<Long> notLeft = new HashSet<>();
    private long settledEnd = Long.MAX_VALUE;
    private final List<InputRecord> seeds = new ArrayList<>();
    private boolean seedsJudged;
    private boolean mayBeDeleted;
    private boolean isInputEmpty;
    private boolean areRemovalsDeleted;
    private boolean isInputLast;
    private boolean isInputCut;
    /** Where they are not those of the outputs. */
    private final List<Long> inputMillis = new ArrayList<>();

    private boolean timestampsKept = true;
    private Set<String> compacted = Set.of();
    private boolean ofVerdicts;

    private void seed(String id, String text) {
        seeds.add(new InputRecord(
                "corpus", 0, seeds.size(), 1_000, id.getBytes(UTF_8), new News(id, text).json(), List.of()));
    }

    private void unique(String id, String text, long timestamp, RecordHeader... headers) {
        outputs.add(record("unique", id, new News(id, text).json(), timestamp, List.of(headers)));
    }

    private void duplicate(String id, String text, String original, double similarity) {
        List<RecordHeader> headers = List.of(
                header("neardup.id", id),
                header("neardup.duplicate-of", original),
                header("neardup.similarity", String.valueOf(similarity)));
        outputs.add(record("duplicate-of", id, new News(id, text).json(), 0, headers));
    }

    private InputRecord record(
            String topic, String id, byte @Nullable [] value, long timestamp, List<RecordHeader> headers) {
        return new InputRecord(topic, 0, outputs.size(), timestamp, id.getBytes(UTF_8), value, headers);
    }

    private List<News> run(int documents) {
        Random random = new Random(5);
        List<News> news = IntStream.range(0, documents)
                .mapToObj(i -> new News("n" + i, new BigInteger(1_000, random).toString(36)))
                .toList();
        news.forEach(one -> unique(one.id(), one.text(), 1_000));
        news.forEach(one -> duplicate("copy-of-" + one.id(), one.text(), one.id(), 1.0));
        return news;
    }

    private AuditedTopics topics() {
        return new AuditedTopics(
                config,
                ofVerdicts,
                Map.of(),
                isInputCut ? Map.of(new TopicPartition("documents", 0), 1L) : Map.of(),
                Map.of(
                        new TopicPartition("duplicate-of", 0),
                        settledEnd,
                        new TopicPartition("verdicts", 0),
                        Long.MAX_VALUE),
                compacted,
                timestampsKept,
                Set.of("corpus"),
                !ofVerdicts,
                seedsJudged,
                false);
    }

    /** Of both promises, once all is looked at in as many passes as it takes. */
    private Found check(long bytesMax) {
        DocumentsCheck check = new DocumentsCheck(topics(), Signing.of(config, 1), true, bytesMax, Long.MAX_VALUE);
        if (!isInputEmpty && !isInputLast) {
            outputs.stream().filter(record -> inputMillis.isEmpty()).forEach(check::seeInput);
        }
        inputMillis.forEach(
                millis -> check.seeInput(new InputRecord("documents", 0, 0, millis, null, null, List.of())));
        do {
            seeds.forEach(check::takeSeed);
            outputs.forEach(record -> check.takeOutput(outcome(record)));
            if (isInputLast) {
                outputs.forEach(check::seeInput);
            }
            if (areRemovalsDeleted) {
                check.seeRemovalsDeleted();
            }
            check.endPass(mayBeDeleted, notLeft);
        } while (check.startPass());
        List<PromiseReport> reports = check.reports();
        return new Found(reports.get(0), reports.get(reports.size() - 1), check.passes());
    }

    private record Found(PromiseReport reference, PromiseReport remaining, int passes) {}

    private RecordOutcome outcome(InputRecord record) {
        try {
            return RecordOutcome.of(record, config);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Found check() {
        return check(MUCH);
    }

    /** What is wrong is in one pass or another, and nothing is looked at twice. */
    @Test
    void shouldLookAtAllInSeveralPassesWhereMemoryIsShort() {
        List<News> news = run(60);
        duplicate("lost", news.get(3).text(), "nobody", 1.0);
        unique("twin", news.get(17).text(), 1_000);

        Found found = check(10_000);

        assertThat(found.passes()).isGreaterThan(2);
        assertThat(found.reference().judged()).isEqualTo(61);
        shouldBe(found.reference(), "no original", 1);
        shouldBe(found.remaining(), "both unique", 1);
    }

    /**
     * What is put among the documents, and what is broken by it.
     *
     * @param reference the kind of break of "every duplicate names a unique document it is similar to"; empty for none
     * @param remaining that of "no two similar documents on unique"
     */
    private record Case(String what, String reference, String remaining, BiConsumer<DocumentsCheckTest, News> put) {
        @Override
        public String toString() {
            return what;
        }
    }

    /** The document beside is one of those that are unique. */
    static List<Case> cases() {
        RecordHeader[] ofSeed = {
            header("neardup.reason", "not-json"),
            header("neardup.source.topic", "corpus"),
            header("neardup.source.partition", "0"),
            header("neardup.source.offset", "0")
        };
        return List.of(
                new Case("a duplicate of another", "below threshold", "", (test, one) -> {
                    test.unique("other", TEXT, 1_000);
                    test.duplicate("unlike", TEXT, one.id(), 0.9);
                }),
                new Case("a duplicate before its original", "", "", (test, one) -> {
                    test.duplicate("early", TEXT, "late", 1.0);
                    test.unique("late", TEXT, 1_000);
                }),
                new Case("several originals of one id", "", "", (test, one) -> {
                    test.unique(
                            "twice",
                            one.text() + new StringBuilder(one.text()).reverse().append(TEXT),
                            1_000);
                    test.unique("twice", TEXT, 1_000);
                    test.duplicate("copy", TEXT, "twice", 1.0);
                }),
                new Case("a twin", "", "both unique", (test, one) -> test.unique("twin", one.text(), 1_000)),
                new Case(
                        "a twin that a bound may have cost",
                        "",
                        "",
                        (test, one) -> test.unique("twin", one.text(), 1_000, header("neardup.bounded", "rank"))),
                new Case("a twin of what a tombstone takes back", "", "", (test, one) -> {
                    test.outputs.add(test.record("unique", one.id(), null, 1_000, List.of()));
                    test.unique("twin", one.text(), 1_000);
                }),
                new Case("a twin of what a deleted tombstone may have taken back", "", "", (test, one) -> {
                    test.areRemovalsDeleted = true;
                    test.unique("twin", one.text(), 1_000);
                }),
                new Case(
                        "a twin after six days",
                        "",
                        "both unique",
                        (test, one) -> test.unique("twin", one.text(), 1_000 + 6 * DAY_MILLIS)),
                new Case(
                        "a twin of what may be forgotten",
                        "",
                        "",
                        (test, one) -> test.unique("twin", one.text(), 1_000 + 8 * DAY_MILLIS)),
                new Case("a twin of what may be forgotten, of an empty input", "", "", (test, one) -> {
                    test.isInputEmpty = true;
                    test.unique("twin", one.text(), 1_000 + 8 * DAY_MILLIS);
                }),
                // Where brokers set the timestamps of outputs, the input alone tells the time.
                new Case("a twin that is read before any time is known", "", "both unique", (test, one) -> {
                    test.timestampsKept = false;
                    test.isInputLast = true;
                    test.unique("twin", one.text(), 1_000);
                }),
                new Case("two alike of a seed", "", "like one of a seed", (test, one) -> {
                    test.seed("old", one.text());
                    test.seed("as-old", one.text());
                }),
                new Case("one of a seed of which nobody knows what was kept", "", "", (test, one) -> {
                    test.seed("old", one.text());
                    test.seedsJudged = true;
                }),
                new Case("one of a seed that was a dead letter", "", "", (test, one) -> {
                    test.seed("too-large", one.text());
                    test.outputs.add(test.record("dead-letter", "too-large", null, 1_000, List.of(ofSeed)));
                }));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldFindWhatIsWrongAndNothingElse(Case one) {
        one.put.accept(this, run(20).get(7));

        Found found = check();

        shouldBe(found.reference(), one.reference, 1);
        shouldBe(found.remaining(), one.remaining, 1);
        assertThat(found.reference().notes()).isEmpty();
        assertThat(found.reference().judged()).isGreaterThanOrEqualTo(20);
        assertThat(found.remaining().judged()).isGreaterThanOrEqualTo(19);
        assertThat(found.passes()).isEqualTo(1);
    }

    private static void shouldBe(PromiseReport report, String kind, long count) {
        assertThat(report.breaks().stream().collect(Collectors.toMap(Break::kind, Break::count)))
                .isEqualTo(kind.isEmpty() ? Map.of() : Map.of(kind, count));
    }

    /** The service may forget by the time of the first, whatever the broker stamps both with when they leave. */
    @ParameterizedTest
    @CsvSource({"6, false, false", "8, false,", "6, true,"})
    void shouldNotTakeTheTimeOfTheBrokerForThatOfADocument(int days, boolean isCut, @Nullable Boolean held) {
        timestampsKept = false;
        isInputCut = isCut;
        inputMillis.addAll(List.of(1_000L, 1_000 + days * DAY_MILLIS));
        unique("one", TEXT, 1_000 + days * DAY_MILLIS);
        unique("twin", TEXT, 1_000 + days * DAY_MILLIS);

        PromiseReport remaining = check().remaining();

        assertThat(remaining.held()).isEqualTo(held);
        shouldBe(remaining, held == null ? "" : "both unique", 1);
    }

    /** Any two of these share a bucket, so they are more pairs than are kept. */
    private static final int ALIKE = 150;

    @Test
    void shouldFindTwinsHoweverManyPairsAreForgotten() {
        for (int i = 0; i < ALIKE; i++) {
            unique("weekly" + i, TEXT, 8 * DAY_MILLIS * i);
        }
        unique("twin", TEXT, 8 * DAY_MILLIS * (ALIKE - 1));

        shouldBe(check().remaining(), "both unique", 1);
    }

    @Test
    void shouldNotCallHeldWhatItCouldNotKeep() {
        for (int i = 0; i < ALIKE; i++) {
            unique("n" + i, TEXT, 1_000);
        }
        for (int i = 0; i < ALIKE; i++) {
            outputs.add(record("unique", "n" + i, null, 1_000, List.of()));
        }

        assertNoted(check().remaining(), "not all looked at: more pairs");
        assertThat(check().remaining().held()).isNull();
    }

    /** The version that a duplicate was compared with may be gone, and a later one stands there. */
    @Test
    void shouldNotJudgeByWhatACompactedTopicHasLeft() {
        compacted = Set.of("unique");
        unique("one", "a later text of the id, and nothing like it", 1_000);
        duplicate("copy", TEXT, "one", 1.0);

        assertNoted(check().reference(), "1 duplicates do not match the document that they name");
        assertThat(check().reference().held()).isNull();
    }

    /** As where ids come again: the version that is named may be among what is deleted. */
    @Test
    void shouldNotCallBrokenWhatDoesNotFitALaterVersionAlone() {
        mayBeDeleted = true;
        unique("one", "a later text of the id, and nothing like it", 1_000);
        duplicate("copy", TEXT, "one", 1.0);

        assertThat(check().reference().breaks()).isNotEmpty();
        assertThat(check().reference().held()).isNull();
    }

    @Test
    void shouldNotJudgeWhatNamesAPlace() {
        duplicate("copy", TEXT, "documents-0-17", 1.0);

        assertNoted(check().reference(), "1 duplicates name a document without an id");
    }

    /**
     * A coordinator has decided on the original, and its turn to leave has not come; or its partition was not as far.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotJudgeADuplicateWhoseOriginalIsNotToBeSeenYet(boolean isInFlight) {
        List<News> news = run(2);
        News original = new News("late", news.get(0).text() + " and more");
        settledEnd = isInFlight ? Long.MAX_VALUE : outputs.size();
        duplicate("copy", original.text(), original.id(), 1.0);
        if (isInFlight) {
            notLeft.add(new ContentHash(false).hash(original.id()));
        }

        PromiseReport report = check().reference();

        assertNoted(report, "1 duplicates name a document that has not left yet");
        assertThat(report.judged()).isEqualTo(2);
    }

    /** That nothing is broken, and what begins so was not judged. */
    private static void assertNoted(PromiseReport report, String... notes) {
        assertThat(report.breaks()).isEmpty();
        assertThat(report.notes())
                .zipSatisfy(List.of(notes), (note, start) -> assertThat(note).startsWith(start));
    }

    // ---- verdicts

    /** Those of this release tell the length of the document. */
    private boolean areOfEarlierRelease;

    private void verdict(String id, @Nullable Repeated repeated, String settings) {
        ofVerdicts = true;
        Position position = new Position("documents", 0, outputs.size());
        Verdict verdict = VerdictStories.verdict(position, id, repeated, settings, null, areOfEarlierRelease ? 0 : 17);
        outputs.add(record("verdicts", id, VerdictCodec.encode(verdict), 0, List.of()));
    }

    private void uniqueVerdict(String id) {
        verdict(id, null, config.fingerprint());
    }

    private void duplicateVerdict(String id, String original, double similarity) {
        duplicateVerdict(id, original, null, similarity);
    }

    private void duplicateVerdict(String id, String original, @Nullable String place, double similarity) {
        verdict(id, new Repeated(original, place, Similarity.of(similarity), null), config.fingerprint());
    }

    /** Of a topic that was made again, places of originals have the generation in them, and positions have not. */
    @ParameterizedTest
    @ValueSource(strings = {"documents", "documents#12", ""})
    void shouldFindTheVerdictOnAnOriginalBeforeOrBehindThatOnItsDuplicate(String topic) {
        areOfEarlierRelease = topic.isEmpty();
        uniqueVerdict("a");
        duplicateVerdict("b", "a", areOfEarlierRelease ? null : topic + "-0-0", 0.8);
        duplicateVerdict("d", "c", areOfEarlierRelease ? null : topic + "-0-3", 0.7);
        uniqueVerdict("c");

        assertNoted(check().reference());
        assertThat(check().reference().judged()).isEqualTo(2);
    }

    @Test
    void shouldBreakWhereAVerdictNamesADuplicateOrNothing() {
        areOfEarlierRelease = true;
        uniqueVerdict("a");
        duplicateVerdict("b", "a", 0.8);
        duplicateVerdict("c", "b", 0.8);
        duplicateVerdict("d", "nobody", 0.8);

        shouldBe(check().reference(), "no original", 2);
    }

    @Test
    void shouldTellTwoOfOneIdApartByTheirPlaces() {
        uniqueVerdict("a");
        duplicateVerdict("a", "a", "documents-0-0", 0.8);
        duplicateVerdict("b", "a", "documents-0-0", 0.8);
        duplicateVerdict("of another place", "a", "documents-0-1", 0.8);
        duplicateVerdict("of another id", "b", "documents-0-0", 0.8);

        PromiseReport report = check().reference();

        shouldBe(report, "no original", 2);
        assertThat(report.judged()).isEqualTo(4);
    }

    @Test
    void shouldNotJudgeVerdictsOnWhatHasNotLeftOrMayBeDeletedOrIsOfASeed() {
        duplicateVerdict("b", "later", 0.8);
        duplicateVerdict("c", "deleted", 0.8);
        verdict("d", new Repeated("old", null, Similarity.of(0.9), "corpus"), config.fingerprint());
        notLeft.add(new ContentHash(false).hash("later"));
        mayBeDeleted = true;

        assertNoted(
                check().reference(),
                "1 duplicates name a document without an id, or one that may be deleted",
                "1 duplicates name a document that has not left yet",
                "1 duplicates name a document of a seed");
    }

    @Test
    void shouldHoldTheThresholdForVerdictsOfTheseSettingsAlone() {
        areOfEarlierRelease = true;
        uniqueVerdict("a");
        duplicateVerdict("b", "a", 0.69);
        verdict("c", new Repeated("a", null, Similarity.of(0.5), null), "another");

        PromiseReport report = check().reference();

        shouldBe(report, "below threshold", 1);
        assertThat(report.notes()).singleElement().asString().startsWith("1 duplicates were judged by other settings");
    }

    @Test
    void shouldLookAtAllVerdictsInSeveralPassesWhereMemoryIsShort() {
        areOfEarlierRelease = true;
        for (int i = 0; i < 1_000; i++) {
            uniqueVerdict("u" + i);
            duplicateVerdict("d" + i, i % 2 == 0 ? "u" + i : "nobody" + i, i == 500 ? 0.1 : 0.8);
        }

        Found found = check(10_000);

        assertThat(found.passes()).isGreaterThan(2);
        assertThat(found.reference().breaks())
                .extracting(Break::kind, Break::count)
                .containsExactlyInAnyOrder(tuple("no original", 500L), tuple("below threshold", 1L));
        // Those that were judged before the first pass had to give up their share are judged again.
        assertThat(found.reference().judged()).isBetween(1_000L, 1_200L);
    }
}
