package io.neardup.topology;

import static io.neardup.topology.TopologyHarness.ANYTHING;
import static io.neardup.topology.TopologyHarness.NOW;
import static io.neardup.topology.TopologyHarness.bytes;
import static io.neardup.topology.TopologyHarness.json;
import static io.neardup.topology.TopologyHarness.record;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.neardup.config.Limits;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.Lookup;
import io.neardup.engine.text.CommonSets;
import io.neardup.engine.text.NaiveShingles;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.metrics.Sources.Repeated;
import io.neardup.streams.metrics.Sources.Source;
import io.neardup.streams.store.Encoded;
import io.neardup.streams.store.MessageCodec;
import io.neardup.streams.topology.OutputLimits;
import io.neardup.streams.topology.OutputRecords;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DedupTopologyTest extends TopologyTests {
    private static final String STORY = "The harbour town of Vell woke to an unusual silence on Tuesday, as the ferries"
            + " stayed at their piers and the fish market kept its shutters closed for the first time in forty years.";
    private static final String EDITED = STORY.replace("forty years", "forty-one years");
    private static final String OTHER = "Researchers at the northern observatory have measured the slow drift of a"
            + " glacier by listening to the sounds that it makes at night, when the meltwater refreezes.";
    private static final long HOUR = 3_600_000;

    @Test
    void shouldBeMadeOfTheseParts() {
        assertThat(describe(List.of(
                        "neardup.unique.topic=u",
                        "neardup.duplicates.topic=d",
                        "neardup.dead-letter.topic=x",
                        "neardup.outputs=records,verdicts",
                        "neardup.verdicts.topic=v")))
                .isEqualTo("""
                    Topologies:
                       Sub-topology: 0
                        Source: documents (topics: [documents])
                          --> coordinator
                        Source: replies-in (topics: [neardup-replies])
                          --> coordinator
                        Processor: coordinator (stores: [progress, originals])
                          --> checks-of-coordinator, dead-letter, duplicates, lookups, notes, replies, unique, verdicts
                          <-- documents, replies-in
                        Sink: checks-of-coordinator (topic: neardup-checks)
                          <-- coordinator
                        Sink: dead-letter (topic: x)
                          <-- coordinator
                        Sink: duplicates (topic: d)
                          <-- coordinator
                        Sink: lookups (topic: neardup-lookups)
                          <-- coordinator
                        Sink: notes (topic: neardup-settings)
                          <-- coordinator
                        Sink: replies (topic: neardup-replies)
                          <-- coordinator
                        Sink: unique (topic: u)
                          <-- coordinator
                        Sink: verdicts (topic: v)
                          <-- coordinator

                      Sub-topology: 1
                        Source: lookups-in (topics: [neardup-lookups])
                          --> bands
                        Processor: bands (stores: [buckets])
                          --> answers, checks-of-bands
                          <-- lookups-in
                        Sink: answers (topic: neardup-replies)
                          <-- bands
                        Sink: checks-of-bands (topic: neardup-checks)
                          <-- bands

                    """);
    }

    @Test
    void shouldCountWhatLeavesBySource() {
        TopologyHarness running = start("neardup.source=/url");
        pipe(running, "https://agency.example/1", STORY, 0);
        pipe(running, "https://agency.example/2", EDITED, HOUR);
        pipe(running, "https://mirror.example/1", EDITED, 2 * HOUR);
        pipe(running, "https://mirror.example/2", " ", 2 * HOUR);
        running.pipe(record("tombstone", null));
        running.document("none", OTHER);
        assertThat(running.counted(ServiceMetric.DOCUMENTS, "duplicate")).isEqualTo(2);

        assertThat(running.counts().sources().most(9))
                .extracting(
                        Source::name,
                        Source::documents,
                        Source::ofItself,
                        Source::ofOthers,
                        Source::repeats,
                        Source::afterSeconds)
                .containsExactly(
                        tuple("agency.example", 2L, 1L, 0L, List.of(), 2_700L),
                        tuple("mirror.example", 1L, 0L, 1L, List.of(new Repeated("agency.example", 1)), 7_200L),
                        tuple("unknown", 1L, 0L, 0L, List.of(), null));
    }

    private static void pipe(TopologyHarness running, String url, String text, long after) {
        String value = "{\"id\":\"" + url + "\",\"url\":\"" + url + "\",\"text\":\"" + text + "\"}";
        running.arrive(record(bytes(url), bytes(value), NOW + after));
    }

    @Test
    void shouldMarkAUniqueDocumentThatMetAFullBucketAndNoOther() {
        TopologyHarness running = start("neardup.bucket.max=1", "neardup.banding=26x1");
        running.document("a", STORY);
        for (TestRecord<byte[], byte[]> record :
                List.of(json("cut", STORY.substring(0, STORY.length() / 2)), json("other", OTHER))) {
            record.headers().add(new RecordHeader(OutputRecords.BOUNDED, bytes("of another service")));
            running.arrive(record);
        }
        List<TestRecord<byte[], byte[]>> unique = running.unique();
        assertThat(keys(unique)).containsExactly("a", "cut", "other");
        assertThat(header(unique.get(1), OutputRecords.BOUNDED)).isEqualTo("bucket");
        assertThat(unique.get(1).headers().headers(OutputRecords.BOUNDED)).hasSize(1);
        assertThat(unique.get(2).headers().lastHeader(OutputRecords.BOUNDED)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"exact", "estimate"})
    void shouldNameTheOriginalOfANearDuplicate(String verification) {
        TopologyHarness running = start("neardup.similarity.verify=" + verification);
        running.document("a", STORY);
        running.document("b", OTHER);

        TestRecord<byte[], byte[]> document = running.document("c", EDITED);

        assertThat(running.unique()).hasSize(2);
        TestRecord<byte[], byte[]> duplicate = only(running.duplicates());
        assertThat(duplicate.key()).isEqualTo(document.key());
        assertThat(duplicate.value()).isEqualTo(document.value());
        assertThat(duplicate.timestamp()).isEqualTo(document.timestamp());
        assertThat(headers(duplicate)).startsWith(headers(document).toArray(new Header[0]));
        assertThat(header(duplicate, OutputRecords.ID)).isEqualTo("c");
        assertThat(header(duplicate, OutputRecords.DUPLICATE_OF)).isEqualTo("a");
        assertThat(List.of(
                        number(duplicate, OutputRecords.SIMILARITY),
                        number(duplicate, OutputRecords.CONTAINMENT_OF_DUPLICATE),
                        number(duplicate, OutputRecords.CONTAINMENT_OF_ORIGINAL)))
                .allSatisfy(share -> assertThat(share).isBetween(0.7, 1.0));
    }

    /** As where an output is deduplicated once more, or a producer pretends. */
    @ParameterizedTest
    @ValueSource(strings = {STORY, OTHER, " "})
    void shouldHaveNoHeadersUnderNamesOfItsOwnThatCameIn(String text) {
        TopologyHarness running = start("neardup.signature=simhash", "neardup.similarity.verify=estimate");
        TestRecord<byte[], byte[]> record = json("copy", text);
        List<Header> own = headers(record);
        List<Header> forged = Stream.of(
                        OutputRecords.ID,
                        OutputRecords.DUPLICATE_OF,
                        OutputRecords.DUPLICATE_OF_SEED,
                        OutputRecords.SIMILARITY_WHOLE,
                        OutputRecords.BOUNDED,
                        OutputRecords.REASON,
                        OutputRecords.SOURCE_TOPIC,
                        OutputRecords.VALUE_BYTES,
                        "neardup.of.a.later.release")
                .<Header>map(name -> new RecordHeader(name, bytes("of another service")))
                .toList();
        forged.forEach(record.headers()::add);
        Header redriven = new RecordHeader(OutputRecords.REDRIVEN, bytes("2"));
        record.headers().add(redriven);
        running.document("a", STORY);

        running.arrive(record);

        List<TestRecord<byte[], byte[]>> left = Stream.of(running.unique(), running.duplicates(), running.deadLetters())
                .flatMap(List::stream)
                .filter(one -> Arrays.equals(one.key(), record.key()))
                .toList();
        assertThat(left).singleElement().satisfies(one -> {
            assertThat(headers(one)).startsWith(own.toArray(new Header[0])).contains(redriven);
            assertThat(headers(one))
                    .filteredOn(header -> header.key().startsWith("neardup."))
                    .doesNotContain(forged.toArray(new Header[0]))
                    .extracting(Header::key)
                    .doesNotHaveDuplicates();
        });
    }

    @Test
    void shouldNameADocumentExactlyWhateverItsIdHolds() {
        TopologyHarness running = start();
        running.document("a\\u001b[2J\\n\\u202e", STORY);
        running.document("b\\u007f", STORY);
        running.document("c\\u009b", " ");

        TestRecord<byte[], byte[]> duplicate = running.duplicates().get(0);
        assertThat(header(duplicate, OutputRecords.ID)).isEqualTo("b\u007F");
        assertThat(header(duplicate, OutputRecords.DUPLICATE_OF)).isEqualTo("a\u001B[2J\n\u202E");
        assertThat(header(running.deadLetters().get(0), OutputRecords.ID)).isEqualTo("c\u009B");
    }

    @Test
    void shouldWriteAVerdictInPlaceOfTheRecordAndSayWhereADuplicateHasTheIdOfItsOriginal() {
        TopologyHarness running = start("neardup.duplicates.value=verdict");
        running.document("a", STORY);
        running.document("b", STORY);
        running.document("a", EDITED);
        List<TestRecord<byte[], byte[]>> duplicates = running.duplicates();
        assertThat(keys(duplicates)).containsExactly("b", "a");
        assertThat(new String(duplicates.get(0).value(), UTF_8))
                .isEqualTo("{\"id\":\"b\",\"duplicateOf\":\"a\",\"duplicateOfPlace\":\"documents-0-0\","
                        + "\"similarity\":1.0,\"containmentOfDuplicate\":1.0,\"containmentOfOriginal\":1.0}");
        assertThat(duplicates.get(0).headers().lastHeader(OutputRecords.VERSION))
                .isNull();
        assertThat(header(duplicates.get(1), OutputRecords.VERSION)).isEqualTo(OutputRecords.SAME_ID);
        assertThat(new String(duplicates.get(1).value(), UTF_8)).contains("\"version\":\"same-id\"");
    }

    @Test
    void shouldPutANewVersionInThePlaceOfTheOldOneWhereConfigured() {
        TopologyHarness running = start("neardup.versions=replace");
        running.document("a", STORY);
        running.document("a", EDITED);
        running.document("a", OTHER);
        running.document("b", OTHER);
        running.document("c", STORY);

        assertThat(keys(running.unique())).containsExactly("a", "a", "a", "c");
        assertThat(keys(running.duplicates())).containsExactly("b");
    }

    @Test
    void shouldNeverCompareDocumentsOfDifferentScopes() {
        TopologyHarness running = start("neardup.scope=/tenant");
        scoped(running, "a", "\"x\"", STORY);
        scoped(running, "b", "\"y\"", STORY);
        scoped(running, "c", "\"y\"", EDITED);
        scoped(running, "d", "null", STORY);
        scoped(running, "e", "\"\"", STORY);
        running.document("f", STORY);
        scoped(running, "g", "7", STORY);
        scoped(running, "h", "\"7\"", STORY);
        scoped(running, "i", "true", STORY);

        assertThat(keys(running.unique())).containsExactly("a", "b", "d", "g");
        assertThat(running.duplicates())
                .extracting(duplicate ->
                        header(duplicate, OutputRecords.ID) + " of " + header(duplicate, OutputRecords.DUPLICATE_OF))
                .containsExactly("c of b", "e of d", "f of d", "h of g");
        assertThat(running.deadLetters())
                .extracting(record -> header(record, OutputRecords.DETAIL))
                .containsExactly("expected a string or an integer at /tenant, found a boolean");
    }

    private static void scoped(TopologyHarness running, String id, String scope, String text) {
        running.arrive(record(id, "{\"id\":\"%s\",\"tenant\":%s,\"text\":\"%s\"}".formatted(id, scope, text)));
    }

    @Test
    void shouldCountWhatLeavesAndDeadLettersByReason() {
        TopologyHarness running = start();
        running.document("a", STORY);
        running.document("b", EDITED);
        for (String bad : List.of("no JSON", "[]", "{}", "[]")) {
            running.pipe(record("c", bad));
        }
        assertThat(Stream.of("unique", "duplicate", "dead-letter")
                        .map(outcome -> running.counted(ServiceMetric.DOCUMENTS, outcome)))
                .containsExactly(1L, 1L, 4L);
        assertThat(running.counts()
                        .total(ServiceMetric.DOCUMENTS, "dead-letter", "not-object")
                        .sum())
                .isEqualTo(2);
    }

    @Test
    void shouldDeadLetterWhatHasTooManyShingles() {
        TopologyHarness running = start("neardup.shingle=word:1..8");
        running.document("a", "a ".repeat(Limits.SHINGLES_MAX / 8));
        running.document("b", "b ".repeat(Limits.SHINGLES_MAX / 8 + 4));

        assertThat(keys(running.unique())).containsExactly("a");
        assertThat(header(only(running.deadLetters()), OutputRecords.REASON)).isEqualTo("too-large");
    }

    /** In JSON a control character takes six bytes, in the key of a record one. */
    @ParameterizedTest
    @ValueSource(strings = {"record", "verdict"})
    void shouldAddNoMoreToADuplicateThanItIsSaidTo(String value) {
        TopologyHarness running =
                start("neardup.document.format=text", "neardup.shingle=char:1", "neardup.duplicates.value=" + value);
        TestRecord<byte[], byte[]> document = record("\2".repeat(512), "x");
        for (TestRecord<byte[], byte[]> one : List.of(record("\1".repeat(512), "x"), document)) {
            running.arrive(one);
        }
        assertThat(bytesOfBatch(only(running.duplicates())) - bytesOfBatch(document))
                .isLessThanOrEqualTo(OutputRecords.DUPLICATE_BYTES_MAX);
    }

    /** The reader has tests of its own for each reason. */
    @Test
    void shouldDeadLetterWhatIsNoDocument() {
        byte[] value = bytes("{\"id\":\"a\"}");
        TopologyHarness running = start("neardup.document.bytes.max=3000");
        TestRecord<byte[], byte[]> bad = record(bytes("key"), value, NOW - 5);

        running.document("first", STORY);
        running.arrive(bad);

        assertThat(keys(running.unique())).containsExactly("first");
        assertThat(running.duplicates()).isEmpty();
        TestRecord<byte[], byte[]> dead = only(running.deadLetters());
        assertThat(dead.key()).isEqualTo(bad.key());
        assertThat(dead.value()).isEqualTo(value);
        assertThat(dead.timestamp()).isEqualTo(NOW - 5);
        assertThat(headers(dead)).startsWith(headers(bad).toArray(new Header[0]));
        assertThat(header(dead, OutputRecords.REASON)).isEqualTo("no-text");
        assertThat(header(dead, OutputRecords.DETAIL)).startsWith("expected ");
        assertThat(header(dead, OutputRecords.SOURCE_TOPIC)).isEqualTo("documents");
        assertThat(header(dead, OutputRecords.SOURCE_PARTITION)).isEqualTo("0");
        assertThat(header(dead, OutputRecords.SOURCE_OFFSET)).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE})
    void shouldTakeAnyTimestampWhereTheOutputsDo(long timestamp) {
        TopologyHarness running = start();
        running.arrive(record(bytes("a"), bytes(STORY_JSON), timestamp));
        running.document("b", OTHER);
        running.document("c", STORY);

        assertThat(running.unique()).extracting(TestRecord::timestamp).containsExactly(timestamp, NOW);
        assertThat(running.duplicates()).extracting(TestRecord::timestamp).containsExactly(NOW);
    }

    private static final String STORY_JSON = "{\"text\":\"" + STORY + "\"}";

    /** With its own timestamp where the topic of dead letters carries that. */
    @ParameterizedTest
    @ValueSource(longs = {NOW + HOUR + 1, Long.MAX_VALUE, NOW - 24 * HOUR, 0})
    void shouldDeadLetterAtThePresentWhatItsTopicsDoNotCarryInTime(long timestamp) {
        OutputLimits limits = new OutputLimits(1 << 20, 24 * HOUR, HOUR, false);
        for (OutputLimits ofDeadLetters : List.of(limits, ANYTHING)) {
            TopologyHarness running = start(limits, ofDeadLetters);
            running.pipe(record(bytes("a"), bytes(STORY_JSON), timestamp));
            running.document("b", STORY);
            assertThat(keys(running.unique())).containsExactly("b");
            TestRecord<byte[], byte[]> dead = only(running.deadLetters());
            assertThat(header(dead, OutputRecords.REASON)).isEqualTo("timestamp-out-of-range");
            assertThat(dead.timestamp()).isEqualTo(ofDeadLetters.equals(ANYTHING) ? timestamp : NOW);
            assertThat(dead.value()).isEqualTo(bytes(STORY_JSON));
        }
    }

    /** The value is left out, or key and headers too, where the topic of dead letters does not carry them. */
    @ParameterizedTest
    @CsvSource({"a, 8, 3000, true, true", "a, 8, 1500, true, false", "LONG, 1, 1500, false, false"})
    void shouldDeadLetterOfWhatIsTooLargeWhatTheDeadLetterTopicCarries(
            String key, int stories, long deadLetterBytesMax, boolean keepsKey, boolean keepsValue) {
        TopologyHarness running = start(sizes(1_000), sizes(deadLetterBytesMax));
        String value = "{\"text\":\"" + STORY.repeat(stories) + "\"}";
        TestRecord<byte[], byte[]> large = record(key.replace("LONG", "k".repeat(2_000)), value);
        running.pipe(large);
        TestRecord<byte[], byte[]> dead = only(running.deadLetters());
        assertThat(dead.key()).isEqualTo(keepsKey ? large.key() : bytes("documents-0-0"));
        assertThat(dead.value()).isEqualTo(keepsValue ? large.value() : null);
        assertThat(headers(dead).containsAll(headers(large))).isEqualTo(keepsKey);
        assertThat(header(dead, OutputRecords.REASON)).isEqualTo("too-large");
        assertThat(header(dead, OutputRecords.SOURCE_OFFSET)).isEqualTo("0");
        if (!keepsValue) {
            assertThat(header(dead, OutputRecords.VALUE_BYTES)).isEqualTo(String.valueOf(large.value().length));
        }
    }

    @ParameterizedTest
    @CsvSource({"700, true", "800, false", "900, false", "1000, false", "1100, false", "1150, false"})
    void shouldKeepTheDeadLetterWithinWhatItsTopicCarriesWhereItGetsAKey(int textLength, boolean keepsValue) {
        OutputLimits compacted = new OutputLimits(1_600, Long.MAX_VALUE, Long.MAX_VALUE, true);
        String topic = "documents-" + "x".repeat(200);
        TopologyHarness running = start(compacted, compacted, "neardup.input.topics=" + topic);

        String value = "{\"text\":\"" + "x".repeat(textLength) + "\"}";
        running.pipe(record(null, value));

        TestRecord<byte[], byte[]> dead = only(running.deadLetters());
        assertThat(header(dead, OutputRecords.REASON)).isEqualTo("null-key");
        assertThat(running.unique()).isEmpty();
        assertThat(dead.key()).describedAs("compacted too").isEqualTo(bytes(topic + "-0-0"));
        assertThat(dead.value()).isEqualTo(keepsValue ? bytes(value) : null);
        assertThat(bytesOfBatch(dead)).isLessThanOrEqualTo(1_600);
    }

    private static int bytesOfBatch(TestRecord<byte[], byte[]> of) {
        return DefaultRecordBatch.sizeInBytes(List.of(new SimpleRecord(
                of.timestamp(), of.key(), of.value(), of.headers().toArray())));
    }

    private static OutputLimits sizes(long recordBytesMax) {
        return new OutputLimits(recordBytesMax, Long.MAX_VALUE, Long.MAX_VALUE, false);
    }

    @Test
    void shouldSplitAnswersThatOneRecordWouldNotCarry() {
        TopologyHarness running = start("neardup.bucket.max=10000", "neardup.banding=1x2");
        List<Lookup> lookups = IntStream.range(0, 1_000)
                .mapToObj(i -> new Lookup(new DocumentRef(0, i), 7, BandKeys.owning(new long[] {5})))
                .toList();
        running.pipeLookups(Encoded.batch(lookups));

        List<TestRecord<byte[], byte[]>> replies = running.replies();
        assertThat(replies).hasSizeGreaterThan(1).allSatisfy(reply -> assertThat(reply.value().length)
                .isLessThan(300 * 1024));
        assertThat(replies.stream()
                        .flatMap(reply -> MessageCodec.decodeToCoordinator(reply.value()).stream())
                        .map(message ->
                                ((Candidates) message).found().candidates().size()))
                .containsExactlyElementsOf(IntStream.range(0, lookups.size())
                        .mapToObj(before -> Math.min(before, Limits.CANDIDATES_RETURNED_MAX))
                        .toList());
    }

    private static List<Header> headers(TestRecord<byte[], byte[]> of) {
        return Arrays.asList(of.headers().toArray());
    }

    // ---- what settings do

    @Test
    void shouldNameTheOriginalByTheIdOrTheHeaderThatTheSettingsPointTo() {
        TopologyHarness byField = start("neardup.document.id=/meta/0");
        TopologyHarness byHeader = start("neardup.document.id=header:url", "neardup.document.format=text");
        for (String id : List.of("first", "second")) {
            byField.arrive(record("key", "{\"id\":\"other\",\"meta\":[\"" + id + "\"],\"text\":\"one and the same\"}"));
            TestRecord<byte[], byte[]> document = record("key", "one and the same");
            document.headers().add("url", id.getBytes(UTF_8));
            byHeader.arrive(document);
        }
        for (TopologyHarness running : List.of(byField, byHeader)) {
            assertThat(header(only(running.duplicates()), OutputRecords.DUPLICATE_OF))
                    .isEqualTo("first");
        }
    }

    private int duplicatesOf(String first, String second, String... settings) {
        TopologyHarness running = start(settings);
        running.document("a", first);
        running.document("b", second);
        return running.duplicates().size();
    }

    @Test
    void shouldCompareTheMainTextWhereTextsAreHtmlAndCapitalLettersWhereTheyAreKept() {
        String page = "<nav>Home, news, sports</nav><p>one and the same";
        String other = "<p>one <b>and</b> the same";
        assertThat(duplicatesOf(page, other)).isZero();
        assertThat(duplicatesOf(page, other, "neardup.document.html=true")).isEqualTo(1);
        assertThat(duplicatesOf("ONE AND THE SAME", "one and the same")).isEqualTo(1);
        assertThat(duplicatesOf("ONE AND THE SAME", "one and the same", "neardup.text.case=keep"))
                .isZero();
    }

    @Test
    void shouldReportTheSimilarityWithoutBoilerplateAndThatOfTheWholeTexts() throws IOException {
        String template = words("menu", 60);
        String story = template + " " + words("story", 40);
        String edited = template + " " + words("story", 36) + " " + words("edited", 4);
        Path file = Files.writeString(folder.resolve("boilerplate.tsv"), CommonSets.fileOfWords(template));
        TopologyHarness running = start("neardup.shingle=word:1", "neardup.boilerplate=" + file);
        running.document("story", story);
        running.document("edited", edited);
        running.document("other", template + " " + words("other", 20));

        assertThat(running.unique()).hasSize(2);
        assertThat(running.counted(ServiceMetric.SHINGLES, "")).isEqualTo(100 + 100 + 80);
        assertThat(running.counted(ServiceMetric.SHINGLES_BOILERPLATE, "")).isEqualTo(180);
        TestRecord<byte[], byte[]> duplicate = only(running.duplicates());
        assertThat(header(duplicate, OutputRecords.ID)).isEqualTo("edited");
        assertThat(header(duplicate, OutputRecords.SIMILARITY)).isEqualTo(String.valueOf(36 / 44.0));
        assertThat(header(duplicate, OutputRecords.CONTAINMENT_OF_DUPLICATE)).isEqualTo(String.valueOf(36 / 40.0));
        assertThat(header(duplicate, OutputRecords.SIMILARITY_WHOLE))
                .isEqualTo(String.valueOf(NaiveShingles.jaccard("word:1", story, edited)));
    }

    private static String words(String stem, int count) {
        return IntStream.range(0, count).mapToObj(i -> stem + i).collect(Collectors.joining(" "));
    }
}
