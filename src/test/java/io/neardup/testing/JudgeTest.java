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

    /** Each is sent after all before it have left. */
    private void feed(int partition, long offset, String key, @Nullable String text) {
        int number = fed.size();
        String name = fed.stream().anyMatch(one -> one.key().equals(key)) ? key + "-" + number : key;
        fed.add(new Fed(name, "documents", partition, offset, key, text, 10L * number));
    }

    private void again() {
        fed.clear();
        left.clear();
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

    private void unique(int partition, long offset, String key, @Nullable String text) {
        feed(partition, offset, key, text);
        leave(fed.size() - 1, Outputs.UNIQUE, null);
    }

    private void duplicate(int partition, long offset, String key, String text, String original) {
        feed(partition, offset, key, text);
        leave(fed.size() - 1, Outputs.DUPLICATE_OF, original);
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
        unique(0, 1, "a", text(1));
        duplicate(1, 1, "b", text(1), "a");
        unique(0, 2, "a", null);
        unique(1, 2, "c", text(1));

        assertThat(check(SAME)).isEqualTo(Map.of("left", 4, "duplicates", 1, "single", 1, "alike", 0));
    }

    @Test
    void shouldFindWhatIsLostOrTwiceOrNeverFed() {
        unique(0, 1, "a", text(1));
        unique(0, 2, "b", text(2));
        leave(0, Outputs.UNIQUE, null);
        feed(1, 1, "c", text(3));
        Fed never = new Fed("never", "documents", 0, 9, "never", text(4), 0);
        left.add(record(never, Outputs.UNIQUE, never.value(), new RecordHeaders(never.headers())));

        requireFound(SAME, "twice: ");
        requireFound(SAME, "lost: ");
        requireFound(SAME, "never fed: ");
    }

    @Test
    void shouldFindAUniqueDocumentThatIsChanged() {
        feed(0, 1, "a", text(1));
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
    void shouldFindADeadLetterAndWhatHasLeftBeforeOneThatCameEarlier() {
        feed(0, 1, "a", text(1));
        leave(0, Outputs.DEAD_LETTER, null);
        requireFound(SAME, "dead letter: ");
        again();
        feed(0, 1, "a", text(1));
        unique(0, 2, "b", text(2));
        leave(0, Outputs.UNIQUE, null);
        requireFound(SAME, "order: ");
    }

    @Test
    void shouldFindADuplicateOfWhatIsNoOriginalOrNotAsSimilar() {
        unique(0, 1, "a", text(1));
        duplicate(0, 2, "b", text(2), "a");
        requireFound(SAME, "valid-reference: ");

        again();
        unique(0, 1, "a", text(1));
        duplicate(0, 2, "b", text(1) + " more", "a");
        requireFound(SAME, "valid-reference: ");

        again();
        unique(0, 1, "a", text(1));
        duplicate(0, 2, "b", text(1), "a");
        duplicate(0, 3, "c", text(1), "b");
        requireFound(SAME, "valid-reference: ");
    }

    /** The predecessor does not reach the coordinator that keeps it, as the key has moved; the successor does. */
    @Test
    void shouldFindADuplicateOfWhatWasTakenBackWhereTheKeyHasMovedIfTheSuccessorHasTakenTheTombstone() {
        unique(0, 1, "a", text(1));
        unique(0, 2, "a", null);
        duplicate(1, 2, "b", text(1), "a");
        requireFound(SAME, "taken back: ");
        again();
        unique(0, 1, "a", text(1));
        unique(1, 2, "a", null);
        duplicate(0, 3, "b", text(1), "a");
        requireFound(GROWN, "taken back: ");
        again();
        unique(0, 1, "a", text(1));
        unique(1, 1, "a", null);
        duplicate(0, 3, "b", text(1), "a");
        assertThat(check(SAME)).containsEntry("duplicates", 1);
    }

    @Test
    void shouldFindAVersionThatIsNotInThePlaceOfTheOneBeforeAndTwoThatAreAlikeAndBothUnique() {
        unique(0, 1, "a", text(1));
        unique(1, 1, "b", text(2));
        duplicate(0, 2, "a", text(2), "b");
        requireFound(SAME, "version: ");
        again();
        unique(0, 1, "a", text(1));
        unique(1, 2, "b", text(1) + " more");
        requireFound(SAME, "no-remaining-duplicates: ");
    }

    @Test
    void shouldNotExpectAVersionThatATombstoneOvertakes() {
        unique(0, 1, "a", text(1));
        unique(1, 1, "b", text(2));
        feed(0, 2, "a", text(2));
        feed(0, 3, "a", null);
        leave(2, Outputs.DUPLICATE_OF, "b", 31);
        leave(3, Outputs.UNIQUE, null);

        assertThat(check(SAME)).containsEntry("duplicates", 1).doesNotContainKey("versions");
    }
}
