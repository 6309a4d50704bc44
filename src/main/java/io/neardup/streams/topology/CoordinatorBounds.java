package io.neardup.streams.topology;

import io.neardup.config.NeardupConfig;
import io.neardup.engine.protocol.CoordinatorRules.Slice;
import io.neardup.engine.protocol.CoordinatorRules.StepBounds;

/** What one step of a coordinator does at the most, and how long that takes. */
public final class CoordinatorBounds {
    /** Five times a second: a coordinator forgets 5,000 originals or 80 MB a second, meant to be more than come. */
    private static final Slice ORIGINALS = new Slice(1_000, 16 << 20);

    /** Some 0.2 s of work. */
    private static final int VERIFIED_BYTES = 16 << 20;

    static final StepBounds BOUNDS = new StepBounds(1_000, ORIGINALS, VERIFIED_BYTES);

    /** A tenth of the evidence that one core of 2025 compares in a millisecond. */
    private static final int BYTES_A_MILLI = 10_000;

    private CoordinatorBounds() {}

    /**
     * The evidence that one step compares at the most: the bound, and the pair that reaches it.
     *
     * @return bytes
     */
    public static long verifiedBytesMax(NeardupConfig config) {
        return VERIFIED_BYTES + 2L * InternalTopics.textBytesMax(config);
    }

    /** How long a step takes at the most, on a slow machine. */
    public static long stepMillisMax(NeardupConfig config) {
        return verifiedBytesMax(config) / BYTES_A_MILLI;
    }
}
