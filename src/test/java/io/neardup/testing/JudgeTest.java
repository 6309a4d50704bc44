package io.neardup.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.testing.Judge.Cutover;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** That what judges runs sees what it is to see: one record is as it must not be. */
class JudgeTest {
    /** The predecessor has taken what lies before, of each partition. */
    private static final Map<TopicPartition, Long> POSITIONS =
            Map.of(new TopicPartition("documents", 0), 2L, new TopicPartition("documents", 1), 2L);

    private static final Cutover SAME = new Cutover(POSITIONS, false);
    private static final Cutover GROWN = new Cutover(Map.of(new TopicPartition("documents", 0), 2L), true);

    private final List<Fed> fed = new ArrayList<>();
    private final List<ConsumerRecord<byte[], byte[]>> left = new ArrayList<>();
    private final Map<String, Long> leftNanos = new HashMap<>();

    private static String text(int story) {
        return IntStream.range(0, 40).mapToObj(word -> "w" + story + "x" + word).collect(Collectors.joining(" "));
    }

    /**
     * Takes what was fed, and where it left: partition.offset, key, text, and an outcome, which is that of a record
     * that leaves before the next one is sent. A text is the number of a story, with + and a word more, or - for a
     * tombstone. An outcome is unique, dead, or =key of what it repeats, or - where it has not left yet.
     */
    private void run(String records) {
        for (String record : records.split("; ", -1)) {
            String[] words = record.split(" ", -1);
            int number = fed.size();
            String key = words[1];
            String name = fed.stream().anyMatch(one -> one.key().equals(key)) ? key + "-" + number : key;
            String[] at = words[0].split("\\.", -1);
            String story = words[2].replace("+", "");
            String more = words[2].equals(story) ? "" : " more";
            String text = story.equals("-") ? null : text(Integer.parseInt(story)) + more;
            fed.add(new Fed(
                    name, "documents", Integer.parseInt(at[0]), Long.parseLong(at[1]), key, text, 10L * number));
            switch (words[3]) {
                case "-" -> {}
                case "unique" -> leave(number, Outputs.UNIQUE, null);
                case "dead" -> leave(number, Outputs.DEAD_LETTER, null);
                default -> leave(number, Outputs.DUPLICATE_OF, words[3].substring(1));
            }
        }
    }

    private void leave(int number, String topic, @Nullable String original) {
        leave(number, topic, original, 10L * number + 5);
    }

    private void leave(int number, String topic, @Nullable String original, long atNanos) {
        Fed one = fed.get(number);
        RecordHeaders headers = new RecordHeaders(one.headers());
        if (original != null) {
            headers.add(OutputRecords.DUPLICATE_OF, original.getBytes(UTF_8));
            headers.add(OutputRecords.SIMILARITY, "1.0".getBytes(UTF_8));
        }
        left.add(record(one, topic, one.value(), headers));
        leftNanos.put(one.name(), atNanos);
    }

    private ConsumerRecord<byte[], byte[]> record(
            Fed one, String topic, byte @Nullable [] value, RecordHeaders headers) {
        return new ConsumerRecord<>(
                topic,
                one.partition(),
                left.size(),
                one.timestamp(),
                TimestampType.CREATE_TIME,
                -1,
                -1,
                one.keyBytes(),
                value,
                headers,
                Optional.empty());
    }

    private Map<String, Integer> check(Cutover cutover) {
        Judge judge = new Judge(fed, leftNanos, cutover);
        left.forEach(judge::take);
        return judge.conclude(
                NeardupConfig.forCluster(
                        new Settings().pairs(List.of("bootstrap.servers=none:1", "application.id=any"))),
                5);
    }

    private void requireFound(Cutover cutover, String finding) {
        assertThatThrownBy(() -> check(cutover))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(finding);
    }

    @Test
    void shouldFindNothingInARunThatIsAsItMustBe() {
        run("0.1 a 1 unique; 1.1 b 1 =a; 0.2 a - unique; 1.2 c 1 unique");

        assertThat(check(SAME)).isEqualTo(Map.of("left", 4, "duplicates", 1, "single", 1, "alike", 0));
    }

    @Test
    void shouldFindWhatIsLostOrTwiceOrNeverFed() {
        run("0.1 a 1 unique; 0.2 b 2 unique");
        leave(0, Outputs.UNIQUE, null);
        run("1.1 c 3 -");
        Fed never = new Fed("never", "documents", 0, 9, "never", text(4), 0);
        left.add(record(never, Outputs.UNIQUE, never.value(), new RecordHeaders(never.headers())));

        requireFound(SAME, "twice: ");
        requireFound(SAME, "lost: ");
        requireFound(SAME, "never fed: ");
    }

    @Test
    void shouldFindAWrongDeadLetterWithoutSettings() {
        run("0.1 a 1 unique; 1.1 b 1 =a; 0.2 c 2 dead");
        Judge judge = new Judge(fed, leftNanos, SAME);
        left.forEach(judge::take);

        assertThatThrownBy(judge::conclude).isInstanceOf(AssertionError.class).hasMessageContaining("dead letter: ");
    }

    @Test
    void shouldFindAUniqueDocumentThatIsChanged() {
        run("0.1 a 1 -");
        Fed one = fed.get(0);
        left.add(record(one, Outputs.UNIQUE, new byte[] {'{', '}'}, new RecordHeaders(one.headers())));
        requireFound(SAME, "changed: ");

        left.clear();
        left.add(record(
                one,
                Outputs.UNIQUE,
                one.value(),
                new RecordHeaders(one.headers().subList(0, 1))));
        requireFound(SAME, "changed: ");
    }

    @Test
    void shouldFindWhatHasLeftBeforeOneThatCameEarlier() {
        run("0.1 a 1 -; 0.2 b 2 unique");
        leave(0, Outputs.UNIQUE, null);

        requireFound(SAME, "order: ");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0.1 a 1 dead | dead letter:
            # A duplicate of what is no original, or not as similar.
            0.1 a 1 unique; 0.2 b 2 =a | valid-reference:
            0.1 a 1 unique; 0.2 b 1+ =a | valid-reference:
            0.1 a 1 unique; 0.2 b 1 =a; 0.3 c 1 =b | valid-reference:
            # What was taken back, by its own coordinator.
            0.1 a 1 unique; 0.2 a - unique; 1.2 b 1 =a | taken back:
            # A version that is not in the place of the one before.
            0.1 a 1 unique; 1.1 b 2 unique; 0.2 a 2 =b | version:
            0.1 a 1 unique; 1.2 b 1+ unique | no-remaining-duplicates:
            """)
    void shouldFindWhatIsNotAsItMustBe(String records, String finding) {
        run(records);

        requireFound(SAME, finding);
    }

    /** The predecessor does not reach the coordinator that keeps it, as the key has moved; the successor does. */
    @Test
    void shouldFindADuplicateOfWhatWasTakenBackWhereTheKeyHasMovedIfTheSuccessorHasTakenTheTombstone() {
        run("0.1 a 1 unique; 1.2 a - unique; 0.3 b 1 =a");
        requireFound(GROWN, "taken back: ");

        fed.clear();
        left.clear();
        run("0.1 a 1 unique; 1.1 a - unique; 0.3 b 1 =a");
        assertThat(check(SAME)).containsEntry("duplicates", 1);
    }

    @Test
    void shouldNotExpectAVersionThatATombstoneOvertakes() {
        run("0.1 a 1 unique; 1.1 b 2 unique; 0.2 a 2 -; 0.3 a - -");
        leave(2, Outputs.DUPLICATE_OF, "b", 31);
        leave(3, Outputs.UNIQUE, null);

        assertThat(check(SAME)).containsEntry("duplicates", 1).doesNotContainKey("versions");
    }
}
