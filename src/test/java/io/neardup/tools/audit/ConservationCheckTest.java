package io.neardup.tools.audit;

import static io.neardup.testing.Records.header;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.record.InputRecord;
import io.neardup.record.RecordHeader;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Position;
import io.neardup.record.VerdictCodec;
import io.neardup.testing.VerdictStories;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Topics made by hand: the service puts each record on one output, and then something is done to them. */
class ConservationCheckTest {
    private static final List<String> OUTPUTS = List.of("unique", "duplicate-of", "dead-letter");

    private final Map<TopicPartition, List<InputRecord>> topics = new HashMap<>();
    private final Map<TopicPartition, Long> beginnings = new HashMap<>();
    private final Map<TopicPartition, Long> settledEnds = new HashMap<>();
    private final Set<String> compacted = new TreeSet<>();
    private int inputPartitions = 2;
    private int outputPartitions = 2;
    private Settings settings = new Settings();
    private boolean duplicatesAreVerdicts;
    private boolean inputsChanged;
    private long timestamp = 1_000;

    // ---- the world

    private static TopicPartition at(String topic, int partition) {
        return new TopicPartition(topic, partition);
    }

    private List<InputRecord> partition(String topic, int partition) {
        return topics.computeIfAbsent(at(topic, partition), p -> new ArrayList<>());
    }

    private InputRecord comeIn(int partition, String key, String text) {
        List<InputRecord> records = partition("documents", partition);
        InputRecord record = new InputRecord(
                "documents",
                partition,
                records.size(),
                timestamp,
                key.getBytes(UTF_8),
                ("{\"id\":\"" + key + "\",\"text\":\"" + text + "\"}").getBytes(UTF_8),
                List.of(new RecordHeader("crawler", key.getBytes(UTF_8)), new RecordHeader("empty", null)));
        records.add(record);
        return record;
    }

    private InputRecord leave(InputRecord record, String output) {
        List<InputRecord> records = partition(output, record.partition() % outputPartitions);
        List<RecordHeader> headers = new ArrayList<>(record.headers());
        headers.addAll(added(record, output));
        boolean verdict = duplicatesAreVerdicts && output.equals("duplicate-of");
        InputRecord left = new InputRecord(
                output,
                record.partition() % outputPartitions,
                records.size(),
                record.timestamp(),
                record.key(),
                verdict ? "{}".getBytes(UTF_8) : record.value(),
                headers);
        records.add(left);
        return left;
    }

    private static List<RecordHeader> added(InputRecord record, String output) {
        return switch (output) {
            case "duplicate-of" ->
                List.of(
                        header("neardup.id", new String(Objects.requireNonNull(record.key()), UTF_8)),
                        header("neardup.duplicate-of", "x"),
                        header("neardup.similarity", "0.9"));
            case "dead-letter" ->
                List.of(
                        header("neardup.reason", "not-json"),
                        header("neardup.source.topic", record.topic()),
                        header("neardup.source.partition", String.valueOf(record.partition())),
                        header("neardup.source.offset", String.valueOf(record.offset())));
            default -> List.of();
        };
    }

    /** So many records on each input partition, on all outputs in turn. */
    private void run(int records) {
        for (int i = 0; i < records; i++) {
            for (int p = 0; p < inputPartitions; p++) {
                leave(comeIn(p, "key-" + p + "-" + i, "text " + i), OUTPUTS.get(i % 3));
            }
        }
    }

    private void replace(String topic, int partition, int offset, InputRecord by) {
        partition(topic, partition).set(offset, by);
    }

    private static InputRecord with(InputRecord record, long offset, byte[] value) {
        return new InputRecord(
                record.topic(), record.partition(), offset, record.timestamp(), record.key(), value, record.headers());
    }

    private static InputRecord with(InputRecord record, byte @Nullable [] value, List<RecordHeader> headers) {
        return new InputRecord(
                record.topic(), record.partition(), record.offset(), record.timestamp(), record.key(), value, headers);
    }

    /** The first records of a partition, as by retention. */
    private void delete(String topic, int partition, int records) {
        beginnings.put(at(topic, partition), (long) records);
        partition(topic, partition).subList(0, records).clear();
    }

    private InputRecord take(String topic, int partition, int offset) {
        return partition(topic, partition).remove(offset);
    }

    private void append(InputRecord record) {
        List<InputRecord> records = partition(record.topic(), record.partition());
        long offset = records.get(records.size() - 1).offset() + 1;
        records.add(with(record, offset, Objects.requireNonNull(record.value())));
    }

    // ---- the check

    /** One that has read nothing yet. */
    private ConservationCheck begun(List<String> outputs) {
        Map<String, Integer> partitions = new TreeMap<>(Map.of("documents", inputPartitions));
        outputs.forEach(output -> partitions.put(output, outputPartitions));
        partitions.forEach((topic, count) -> IntStream.range(0, count).forEach(p -> {
            partition(topic, p);
            beginnings.putIfAbsent(at(topic, p), 0L);
            settledEnds.putIfAbsent(at(topic, p), Long.MAX_VALUE);
        }));
        return new ConservationCheck(new AuditedTopics(
                NeardupConfig.of(settings),
                outputs.contains("verdicts"),
                partitions,
                beginnings,
                settledEnds,
                compacted,
                true,
                Set.of(),
                true,
                false,
                inputsChanged));
    }

    private ConservationCheck check() {
        return check(new Random(1), OUTPUTS);
    }

    /** Reads all partitions in a random order. */
    private ConservationCheck check(Random random, List<String> outputs) {
        ConservationCheck check = begun(outputs);
        List<Deque<InputRecord>> unread = new ArrayList<>();
        topics.values().forEach(records -> unread.add(new ArrayDeque<>(records)));
        for (unread.removeIf(Deque::isEmpty); !unread.isEmpty(); unread.removeIf(Deque::isEmpty)) {
            take(check, unread.get(random.nextInt(unread.size())).remove());
        }
        check.end();
        return check;
    }

    /** As whoever reads does: a partition of which too much is kept waits for the others. */
    private void readSideBySide(ConservationCheck check, int keptMax) {
        Map<TopicPartition, Deque<InputRecord>> unread = new TreeMap<>(Comparator.comparing(TopicPartition::toString));
        topics.forEach((partition, records) -> unread.put(
                partition,
                new ArrayDeque<>(
                        records.subList(beginnings.getOrDefault(partition, 0L).intValue(), records.size()))));
        for (unread.values().removeIf(Deque::isEmpty);
                !unread.isEmpty();
                unread.values().removeIf(Deque::isEmpty)) {
            Optional<TopicPartition> next = unread.keySet().stream()
                    .filter(partition -> check.kept(partition) < keptMax)
                    .findFirst();
            if (next.isPresent()) {
                take(check, Objects.requireNonNull(unread.get(next.get())).remove());
            } else {
                check.giveUp(unread.keySet(), keptMax / 2);
            }
        }
        check.end();
    }

    /** Reads some records of the first partition of a topic. */
    private void read(ConservationCheck check, String topic, int from, int to) {
        partition(topic, 0).subList(from, to).forEach(record -> take(check, record));
    }

    private void take(ConservationCheck check, InputRecord record) {
        try {
            if (record.topic().equals("documents")) {
                check.takeInput(record);
            } else {
                check.takeOutput(RecordOutcome.of(record, NeardupConfig.of(settings)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertHeld(ConservationCheck check) {
        assertThat(check.conservation().breaks()).isEmpty();
        assertThat(check.order().breaks()).isEmpty();
    }

    private static void assertBroken(PromiseReport report, String kind, String... witness) {
        assertThat(report.breaks()).singleElement().satisfies(found -> {
            assertThat(found.kind()).isEqualTo(kind);
            assertThat(found.count()).isEqualTo(1);
            assertThat(found.first()).contains(witness);
        });
    }

    /** What is noted of so many records. */
    private static void assertNoted(ConservationCheck check, String... notes) {
        assertThat(check.conservation().notes())
                .zipSatisfy(List.of(notes), (note, start) -> assertThat(note).startsWith(start));
    }

    // ---- what holds

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void shouldHoldWhereEveryRecordIsOnOneOutput(int outputs) {
        inputPartitions = 3;
        outputPartitions = outputs;
        run(50);

        ConservationCheck check = check();

        assertHeld(check);
        assertThat(check.conservation().judged()).isEqualTo(150);
        assertNoted(check);
    }

    /** Repeats cannot be told apart, in whatever order topics are read. */
    @Test
    void shouldCountRepeatsAndNotOrderThem() {
        for (int seed = 0; seed < 100; seed++) {
            topics.clear();
            Random random = new Random(seed);
            for (int i = 0; i < 60; i++) {
                leave(comeIn(random.nextInt(2), "k" + random.nextInt(12), "the same"), OUTPUTS.get(random.nextInt(2)));
            }

            assertHeld(check(random, OUTPUTS));
        }
    }

    @Test
    void shouldTakeVerdictsInPlaceOfTheValue() {
        duplicatesAreVerdicts = true;
        settings = new Settings().set("neardup.duplicates.value", "verdict", "test");
        run(30);

        assertHeld(check());
    }

    @Test
    void shouldNotJudgeWhatWasDeletedOnTheOtherSide() {
        run(30);
        delete("documents", 0, 9);
        // All that came in before has left on other outputs; these are deleted there, too.
        OUTPUTS.forEach(output -> delete(output, 1, 3));

        ConservationCheck check = check();

        assertHeld(check);
        assertNoted(check, "18 records were not judged: their counterpart was deleted");
    }

    @Test
    void shouldNotCallBrokenWhatMayBeOfAnInputThatWasMadeAgain() {
        run(30);
        partition("documents", 0).clear();
        partition("documents", 1).clear();
        for (int i = 0; i < 30; i++) {
            leave(comeIn(i % 2, "again-" + i, "again " + i), OUTPUTS.get(i % 3));
        }
        inputsChanged = true;

        ConservationCheck check = check();

        assertThat(check.conservation().breaks()).isNotEmpty();
        assertThat(check.conservation().held()).isNull();
        assertNoted(check, "an input was taken out or made again");
    }

    /** Of three that are gone from one output the first of the others tell nothing; what another has lost is found. */
    @Test
    void shouldNotJudgeWhatWasDeletedOnOneOutputAlone() {
        inputPartitions = 1;
        outputPartitions = 1;
        run(30);
        delete("unique", 0, 3);
        take("duplicate-of", 0, 5);

        ConservationCheck check = check();

        assertBroken(check.conservation(), "lost", "documents-0 offset 16");
        assertNoted(check, "3 records were not judged: their counterpart was deleted");
    }

    /** All but a dead letter may be of a version that was superseded; and that says which record it is of. */
    @Test
    void shouldNotCallStrangeWhatMayBeOfRecordsThatACompactedInputHasNoMore() {
        inputPartitions = 1;
        run(12);
        leave(partition("documents", 0).get(2), "dead-letter");
        compacted.add("documents");
        take("documents", 0, 0);

        ConservationCheck check = check();

        assertBroken(check.conservation(), "doubled", "dead-letter-0 offset 4");
        assertNoted(check, "1 records were not judged: their counterpart was deleted");
    }

    /** Far more is superseded than is kept. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCallNothingLostWhereACompactedInputHasLittleLeft(boolean ofVerdicts) {
        inputPartitions = 1;
        outputPartitions = 1;
        Random random = new Random(1);
        for (int i = 0; i < 300; i++) {
            timestamp = 1_000L + random.nextInt(3_000);
            leave(comeIn(0, "k" + i, "some text"), i % 3 == 0 ? "duplicate-of" : "unique");
            verdict(i);
        }
        compacted.add("documents");
        partition("documents", 0).removeIf(record -> record.offset() % 5 != 0);
        topics.keySet()
                .removeIf(partition -> !partition.topic().equals("documents")
                        && partition.topic().equals("verdicts") != ofVerdicts);
        ConservationCheck check = begun(ofVerdicts ? List.of("verdicts") : List.of("unique", "duplicate-of"));

        readSideBySide(check, 20);

        assertHeld(check);
        assertThat(check.conservation().judged()).isPositive();
    }

    @Test
    void shouldNotSayThatItHoldsWhereNothingWasCompared() {
        inputPartitions = 1;
        run(12);
        compacted.add("documents");
        partition("documents", 0).clear();

        ConservationCheck check = check();

        assertHeld(check);
        assertThat(check.conservation().held()).isNull();
    }

    @Test
    void shouldNotMissWhatACompactedOutputHasNoMore() {
        run(12);
        compacted.add("unique");
        take("unique", 0, 2);
        take("duplicate-of", 0, 2);

        ConservationCheck check = check();

        assertHeld(check);
        assertNoted(check, "2 records are on no output: lost, or deleted");
        assertThat(check.conservation().held()).isNull();
    }

    /** Few records of one output, all deleted since: what is on none may have been there. */
    @Test
    void shouldNotKnowWhatAnEmptiedOutputHad() {
        run(12);
        delete("dead-letter", 1, 4);

        ConservationCheck check = check();

        assertHeld(check);
        assertNoted(check, "1 records at the ends", "3 records are on no output: lost, or deleted");
        assertThat(check.conservation().held()).isNull();
    }

    /** All that it still has came in before what the input still has. */
    @ParameterizedTest
    @ValueSource(strings = {"unique", "dead-letter"})
    void shouldNotCallHeldWhatAnOutputOfDeletedInputsMayHaveHad(String output) {
        inputPartitions = 1;
        outputPartitions = 1;
        leave(comeIn(0, "deleted", "some text"), output);
        for (int i = 1; i < 10; i++) {
            leave(comeIn(0, "k" + i, "some text"), "duplicate-of");
        }
        delete("documents", 0, 1);
        InputRecord left = take(output, 0, 0);
        partition(output, 0).add(with(left, 5, Objects.requireNonNull(left.value())));
        beginnings.put(at(output, 0), 5L);
        take("duplicate-of", 0, 3);

        PromiseReport report = check().conservation();

        // A letter tells where it came in: what came in later is deleted from there last.
        if (output.equals("dead-letter")) {
            assertBroken(report, "lost", "documents-0 offset 4");
        } else {
            assertThat(report.held()).isNull();
        }
    }

    @Test
    void shouldTakeADeadLetterWithoutTheValueThatItsTopicCannotCarry() {
        run(3);
        InputRecord letter = take("dead-letter", 0, 0);
        List<RecordHeader> headers = new ArrayList<>(letter.headers());
        headers.add(header("neardup.value.bytes", "17"));
        partition("dead-letter", 0).add(with(letter, null, headers));

        assertHeld(check());
    }

    // ---- what is broken

    @ParameterizedTest
    @ValueSource(strings = {"unique", "duplicate-of", "dead-letter"})
    void shouldFindARecordThatIsLostDoubledOrChanged(String output) {
        int of = OUTPUTS.indexOf(output);
        run(12);
        InputRecord record = take(output, 1, 2);
        assertBroken(check().conservation(), "lost", "documents-1 offset " + (6 + of));

        partition(output, 1).add(2, with(record, 2, "{\"id\":\"other\"}".getBytes(UTF_8)));
        assertChanged(check().conservation(), output, 6 + of);

        replace(output, 1, 2, record);
        append(partition(output, 0).get(1));
        assertBroken(
                check().conservation(),
                "doubled",
                output + "-0 offset 4 is documents-0 offset " + (3 + of) + " once more",
                output + "-0 offset 1 is documents-0");

        partition(output, 0).remove(4);
        String other = OUTPUTS.get((of + 1) % 3);
        leave(partition("documents", 0).get(3 + of), other);
        assertBroken(check().conservation(), "doubled", other + "-0 offset 4", "documents-0 offset " + (3 + of));
    }

    /** Only a dead letter says which one it is; else it is one that is lost, and one that never came in. */
    private static void assertChanged(PromiseReport report, String output, int offset) {
        if (output.equals("dead-letter")) {
            assertBroken(report, "changed", "dead-letter-1 offset 2 is documents-1 offset " + offset, "another value");
        } else {
            assertLostAndStrange(report, "documents-1 offset " + offset, output + "-1 offset 2 ");
        }
    }

    private static void assertLostAndStrange(PromiseReport report, String lost, String strange) {
        assertThat(report.breaks())
                .anySatisfy(
                        found -> assertThat(found.kind() + " " + found.first()).startsWith("lost " + lost))
                .anySatisfy(
                        found -> assertThat(found.kind() + " " + found.first()).startsWith("strange " + strange))
                .hasSize(2)
                .allMatch(found -> found.count() == 1);
    }

    @Test
    void shouldFindAHeaderThatIsGone() {
        run(12);
        InputRecord record = partition("unique", 1).get(2);
        replace("unique", 1, 2, with(record, record.value(), record.headers().subList(0, 1)));

        assertLostAndStrange(check().conservation(), "documents-1 offset 6", "unique-1 offset 2 ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"neardup.bounded", "neardup.duplicate-of.seed", "neardup.version"})
    void shouldNotMissAHeaderThatOutputsTakeOff(String name) {
        run(12);
        InputRecord record = partition("documents", 1).get(6);
        List<RecordHeader> headers = new ArrayList<>(record.headers());
        headers.add(header(name, "of another service"));
        replace("documents", 1, 6, with(record, record.value(), headers));

        assertHeld(check());
    }

    @Test
    void shouldFindTwoRecordsThatChangedPlaces() {
        run(12);
        InputRecord first = partition("unique", 0).get(1);
        InputRecord second = partition("unique", 0).get(2);
        replace("unique", 0, 1, with(second, 1, Objects.requireNonNull(second.value())));
        replace("unique", 0, 2, with(first, 2, Objects.requireNonNull(first.value())));

        for (int seed = 0; seed < 50; seed++) {
            ConservationCheck check = check(new Random(seed), OUTPUTS);

            assertThat(check.conservation().breaks()).isEmpty();
            assertBroken(check.order(), "order", "unique-0 offset ", "documents-0 offset ");
        }
    }

    @Test
    void shouldFindARecordInThePartitionOfAnother() {
        run(12);
        InputRecord record = take("unique", 1, 3);
        List<InputRecord> others = partition("unique", 0);
        others.add(new InputRecord(
                "unique", 0, others.size(), record.timestamp(), record.key(), record.value(), record.headers()));
        leave(comeIn(1, "last", "so that the other is passed"), "unique");

        assertLostAndStrange(check().conservation(), "documents-1 offset 9", "unique-0 offset 4 ");
    }

    /** A transaction is committed on one partition after the other: both later ones are seen, and this one is not. */
    @Test
    void shouldNotCallLostWhatIsPassedByWhatIsNotSettledAlone() {
        run(12);
        take("unique", 0, 3);
        settledEnds.put(at("duplicate-of", 0), 3L);
        settledEnds.put(at("dead-letter", 0), 3L);

        ConservationCheck check = check();

        assertHeld(check);
        assertNoted(check, "1 records at the ends");
        assertThat(check.firstNotLeft()).containsEntry(at("documents", 0), 9L);
    }

    // ---- bounds

    @Test
    void shouldGiveUpTheOldestWhereTooMuchIsKept() {
        inputPartitions = 1;
        outputPartitions = 1;
        run(90);
        take("unique", 0, 0);
        take("unique", 0, 0);
        ConservationCheck check = begun(OUTPUTS);
        read(check, "documents", 0, 90);
        read(check, "duplicate-of", 0, 30);
        read(check, "dead-letter", 0, 30);
        read(check, "unique", 0, 10);

        assertThat(check.kept(at("documents", 0))).isEqualTo(20);
        check.giveUp(Set.of(at("documents", 0)), 18);

        assertThat(check.kept(at("documents", 0))).isEqualTo(18);
        read(check, "unique", 10, 28);
        check.end();
        assertThat(count(check.conservation(), "lost")).isEqualTo(2);
    }

    /** More than is kept: they are given up before a later one is seen that has left. */
    @Test
    void shouldCallLostWhatIsPassedByALaterRecord() {
        inputPartitions = 1;
        outputPartitions = 1;
        for (int i = 0; i < 60; i++) {
            InputRecord record = comeIn(0, "k" + i, "some text");
            if (i < 10 || (i >= 40 && i < 55)) {
                leave(record, "unique");
            }
        }
        ConservationCheck check = begun(List.of("unique"));
        read(check, "unique", 0, 25);
        read(check, "documents", 0, 30);

        check.giveUp(Set.of(at("documents", 0)), 5);
        read(check, "documents", 30, 60);
        check.end();

        assertThat(check.conservation().breaks()).singleElement().satisfies(found -> {
            assertThat(found.count()).isEqualTo(30);
            assertThat(found.first()).startsWith("documents-0 offset 10 is on none of the outputs");
        });
        assertNoted(check, "5 records at the ends");
    }

    /** What is left of one output waits for an input far ahead; the other is there from the beginning. */
    @Test
    void shouldGiveUpInputsOfWhichOneOutputIsDeleted() {
        inputPartitions = 1;
        outputPartitions = 1;
        for (int i = 0; i < 60; i++) {
            leave(comeIn(0, "k" + i, "some text"), i % 2 == 0 ? "unique" : "duplicate-of");
        }
        beginnings.put(at("unique", 0), 20L);
        ConservationCheck check = begun(List.of("unique", "duplicate-of"));
        read(check, "documents", 0, 30);
        read(check, "duplicate-of", 0, 30);
        read(check, "unique", 20, 30);

        check.giveUp(Set.of(at("documents", 0), at("unique", 0)), 5);
        read(check, "documents", 30, 60);
        check.end();

        assertHeld(check);
        assertNoted(check, "20 records were not judged: their counterpart was deleted");
    }

    /** Far more is deleted than is kept. Where it is of both sides, timestamps tell who is behind, roughly. */
    @ParameterizedTest
    @CsvSource({
        // deleted of the input and of both outputs, milliseconds of disorder, judged
        "60, 0, 0, 100000, 240",
        "260, 0, 0, 100000, 40",
        "0, 60, 60, 100000, 240",
        "160, 100, 100, 40, 140",
        "100, 160, 160, 40, 140"
    })
    void shouldJudgeAllThatIsThereOfInputsAndOutputsThatBeginApart(
            int input, int unique, int duplicates, int disorder, int judged) {
        inputPartitions = 1;
        outputPartitions = 1;
        Random random = new Random(1);
        for (int i = 0; i < 300; i++) {
            timestamp = 1_000 + i * 10L + random.nextInt(disorder);
            leave(comeIn(0, "k" + i, "some text"), i % 3 == 0 ? "duplicate-of" : "unique");
        }
        beginnings.put(at("documents", 0), (long) input);
        beginnings.put(at("unique", 0), unique * 2L / 3);
        beginnings.put(at("duplicate-of", 0), duplicates / 3L);
        ConservationCheck check = begun(List.of("unique", "duplicate-of"));

        readSideBySide(check, 20);

        assertHeld(check);
        assertThat(check.conservation().judged()).isBetween(judged - 1L, judged + 1L);
    }

    // ---- verdicts

    private void verdict(long offset) {
        Position position = new Position("documents", 0, offset);
        Verdict verdict = VerdictStories.verdict(position, "id", null, "settings", null, 0);
        List<InputRecord> verdicts = partition("verdicts", 0);
        verdicts.add(new InputRecord("verdicts", 0, verdicts.size(), 0, null, VerdictCodec.encode(verdict), List.of()));
    }

    private void comeInWithVerdicts(long records, List<Long> verdicts) {
        inputPartitions = 1;
        outputPartitions = 1;
        for (int i = 0; i < records; i++) {
            comeIn(0, "k" + i, "some text");
        }
        verdicts.forEach(this::verdict);
    }

    private ConservationCheck checkVerdicts(Random random, long records, List<Long> verdicts) {
        comeInWithVerdicts(records, verdicts);
        return check(random, List.of("verdicts"));
    }

    @Test
    void shouldSkipWhatCameInBeforeTheFirstVerdictAndCountWhatHasNotLeft() {
        ConservationCheck check = checkVerdicts(new Random(1), 10, List.of(3L, 4L, 5L));

        assertHeld(check);
        assertThat(check.conservation().judged()).isEqualTo(3);
        assertNoted(check, "4 records at the ends", "3 records were not judged: their counterpart was deleted");
    }

    @Test
    void shouldFindAVerdictOnNoRecord() {
        ConservationCheck check = checkVerdicts(new Random(1), 3, List.of(0L, 1L, 2L, 7L));

        assertBroken(check.conservation(), "strange", "verdicts-0 offset 3");
    }

    /** Against counts by brute force: each offset is lost, there once, or there more often; some are late. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void shouldCountVerdictsThatAreLostDoubledAndLate(int seed) {
        Random random = new Random(seed);
        List<Long> verdicts = new ArrayList<>(LongStream.range(0, 200).boxed().toList());
        long late = 0;
        for (int place = 5; place < verdicts.size() - 5; place += 8) {
            switch (random.nextInt(3)) {
                case 0 -> verdicts.remove(place);
                case 1 -> verdicts.add(place, verdicts.get(place));
                default -> {
                    Collections.swap(verdicts, place, place + 1);
                    late++;
                }
            }
        }
        ConservationCheck check = checkVerdicts(random, 200, verdicts);

        Set<Long> there = new HashSet<>(verdicts);
        long last = verdicts.get(verdicts.size() - 1);
        assertThat(count(check.conservation(), "lost")).isEqualTo(last + 1 - there.size());
        assertThat(count(check.conservation(), "doubled")).isEqualTo(verdicts.size() - there.size());
        assertThat(check.conservation().judged()).isEqualTo(there.size());
        assertThat(count(check.order(), "order")).isEqualTo(late);
    }

    private static long count(PromiseReport report, String kind) {
        return report.breaks().stream()
                .filter(found -> found.kind().equals(kind))
                .mapToLong(PromiseReport.Break::count)
                .sum();
    }

    /** Of much input before the first verdict the oldest is given up, and never the verdicts that wait for theirs. */
    @Test
    void shouldGiveUpInputsBeforeWhatTheOutputsBeginWith() {
        comeInWithVerdicts(60, LongStream.range(40, 60).boxed().toList());
        ConservationCheck check = begun(List.of("verdicts"));
        read(check, "verdicts", 0, 20);
        read(check, "documents", 0, 30);

        check.giveUp(Set.of(at("documents", 0), at("verdicts", 0)), 10);
        read(check, "documents", 30, 60);
        check.end();

        assertHeld(check);
        assertNoted(check, "40 records were not judged: their counterpart was deleted");
        assertThat(check.conservation().judged()).isEqualTo(20);
    }
}
