package io.neardup.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.lifecycle.CutoverFeed.Fed;
import io.neardup.service.lifecycle.CutoverOutputs.Left;
import io.neardup.testing.Outputs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** That what judges the runs sees what it is to see: one record is as it must not be. */
class CutoverOutcomeTest {
    private static final long HASH_SEED = 5;
    private static final CutoverPlan SAME = CutoverPlan.small(2, 2, 1);
    private static final CutoverPlan GROWN = CutoverPlan.small(1, 2, 1);
    /** The old service has taken what lies before, of each partition. */
    private static final Map<TopicPartition, Long> POSITIONS =
            Map.of(new TopicPartition("documents", 0), 2L, new TopicPartition("documents", 1), 2L);

    private final List<Fed> fed = new ArrayList<>();
    private final List<Left> left = new ArrayList<>();

    private static String text(int story) {
        return IntStream.range(0, 40).mapToObj(word -> "w" + story + "x" + word).collect(Collectors.joining(" "));
    }

    /** Each is sent after all before it have left. */
    private void feed(int partition, long offset, String key, @Nullable String text) {
        int number = fed.size();
        fed.add(new Fed(number, "documents", partition, offset, key, text, 10L * number));
    }

    private void leave(int number, String topic, @Nullable String original) {
        left.add(new Left(
                number,
                new TopicPartition(topic, fed.get(number).partition()),
                left.size(),
                Optional.ofNullable(original),
                false,
                10L * number + 5));
    }

    private void unique(int partition, long offset, String key, @Nullable String text) {
        feed(partition, offset, key, text);
        leave(fed.size() - 1, Outputs.UNIQUE, null);
    }

    private void duplicate(int partition, long offset, String key, String text, String original) {
        feed(partition, offset, key, text);
        leave(fed.size() - 1, Outputs.DUPLICATE_OF, original);
    }

    private Map<String, Integer> check(CutoverPlan plan) {
        NeardupConfig config = NeardupConfig.forCluster(
                new Settings().pairs(List.of("bootstrap.servers=none:1", "application.id=any")));
        return new CutoverOutcome(plan, POSITIONS, fed, left).check(config, HASH_SEED);
    }

    private void requireFound(CutoverPlan plan, String finding) {
        ThrowingCallable checking = () -> check(plan);
        assertThatThrownBy(checking).isInstanceOf(AssertionError.class).hasMessageContaining(finding);
    }

    @Test
    void shouldFindNothingInARunThatIsAsItMustBe() {
        unique(0, 1, "a", text(1));
        duplicate(1, 1, "b", text(1), "a");
        unique(0, 2, "a", null);
        unique(1, 2, "c", text(1));

        assertThat(check(SAME))
                .isEqualTo(Map.of("left", 4, "of the old", 2, "of the new", 2, "duplicates", 1, "independent", 1));
    }

    @Test
    void shouldFindWhatIsLostOrTwice() {
        unique(0, 1, "a", text(1));
        unique(0, 2, "b", text(2));
        leave(0, Outputs.UNIQUE, null);
        feed(1, 1, "c", text(3));

        requireFound(SAME, "twice: ");
        requireFound(SAME, "lost: ");
    }

    @Test
    void shouldFindWhatHasLeftBeforeOneThatCameEarlier() {
        feed(0, 1, "a", text(1));
        unique(0, 2, "b", text(2));
        leave(0, Outputs.UNIQUE, null);

        requireFound(SAME, "order: ");
    }

    @Test
    void shouldFindADuplicateOfWhatIsNoOriginalOrNotAlike() {
        unique(0, 1, "a", text(1));
        duplicate(0, 2, "b", text(2), "a");
        requireFound(SAME, "valid-reference: ");

        fed.clear();
        left.clear();
        unique(0, 1, "a", text(1));
        duplicate(0, 2, "b", text(1), "a");
        duplicate(0, 3, "c", text(1), "b");
        requireFound(SAME, "valid-reference: ");
    }

    @Test
    void shouldFindADuplicateOfWhatWasTakenBackBefore() {
        unique(0, 1, "a", text(1));
        unique(0, 2, "a", null);
        duplicate(1, 2, "b", text(1), "a");

        requireFound(SAME, "taken back: ");
    }

    /** The old service does not reach the coordinator that keeps it, as the key has moved; the new one does. */
    @Test
    void shouldFindWhatWasTakenBackWhereTheKeyHasMovedIfTheNewServiceHasTakenTheTombstone() {
        unique(0, 1, "a", text(1));
        unique(1, 2, "a", null);
        duplicate(0, 3, "b", text(1), "a");
        requireFound(GROWN, "taken back: ");

        fed.clear();
        left.clear();
        unique(0, 1, "a", text(1));
        unique(1, 1, "a", null);
        duplicate(0, 3, "b", text(1), "a");
        assertThat(check(SAME)).containsEntry("duplicates", 1);
    }

    @Test
    void shouldFindAVersionThatIsNotInThePlaceOfTheOneBefore() {
        unique(0, 1, "a", text(1));
        unique(1, 1, "b", text(2));
        duplicate(0, 2, "a", text(2), "b");

        requireFound(SAME, "version: ");
    }

    @Test
    void shouldNotExpectAVersionThatATombstoneOvertakes() {
        unique(0, 1, "a", text(1));
        unique(1, 1, "b", text(2));
        feed(0, 2, "a", text(2));
        feed(0, 3, "a", null);
        left.add(new Left(2, new TopicPartition(Outputs.DUPLICATE_OF, 0), 2, Optional.of("b"), false, 31));
        leave(3, Outputs.UNIQUE, null);

        assertThat(check(SAME)).containsEntry("duplicates", 1).doesNotContainKey("versions");
    }

    @Test
    void shouldFindTwoThatAreAlikeAndBothUnique() {
        unique(0, 1, "a", text(1));
        unique(1, 2, "b", text(1) + " more");

        requireFound(SAME, "no-remaining-duplicates: ");
    }
}
