package io.neardup.service.lifecycle;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/**
 * What a run of a cutover is to be like. The same seed gives the same plan.
 *
 * @param seed of the records, and of who is killed when
 * @param coordinators partitions of the input at first
 * @param partitions of the input when the successor begins
 * @param topics input topics
 * @param hasTombstones whether records take back earlier ones
 * @param replacesVersions whether documents come again with another text
 * @param killsBefore how often one of the two is killed before the cutover is asked for
 * @param killsBetween the same until the old one is empty
 * @param killsAfter the same of the new one, until it has taken over
 */
record CutoverPlan(
        long seed,
        int coordinators,
        int partitions,
        List<String> topics,
        boolean hasTombstones,
        boolean replacesVersions,
        int killsBefore,
        int killsBetween,
        int killsAfter) {
    private static final List<String> ONE = List.of("documents");
    private static final List<String> TWO = List.of("documents", "more");
    private static final int[][] SIZES = {{4, 12}, {2, 2}, {3, 5}, {1, 1}, {4, 12}, {1, 4}, {4, 4}, {2, 3}};

    /** One that takes little time. */
    static CutoverPlan small(int coordinators, int partitions, long seed) {
        return new CutoverPlan(seed, coordinators, partitions, ONE, false, false, 1, 2, 1);
    }

    /** So many plans, every fourth with 4 to 12 partitions. */
    static List<CutoverPlan> drawn(long firstSeed, int runs) {
        return LongStream.range(firstSeed, firstSeed + runs)
                .mapToObj(CutoverPlan::drawn)
                .toList();
    }

    /** Of its own for each purpose. Seeds side by side would draw much the same at first, if they were not spread. */
    private static Random random(long seed, int purpose) {
        return new Random((4 * seed + purpose) * 0x9E3779B97F4A7C15L);
    }

    Random ofFeed() {
        return random(seed, 1);
    }

    Random ofKills() {
        return random(seed, 2);
    }

    private static CutoverPlan drawn(long seed) {
        Random random = random(seed, 0);
        int[] sizes = SIZES[(int) (seed % SIZES.length)];
        return new CutoverPlan(
                seed,
                sizes[0],
                sizes[1],
                random.nextBoolean() ? ONE : TWO,
                random.nextInt(3) > 0,
                random.nextBoolean(),
                1 + random.nextInt(2),
                2 + random.nextInt(2),
                1 + random.nextInt(2));
    }
}
