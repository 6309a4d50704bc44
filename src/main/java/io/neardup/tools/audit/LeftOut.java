package io.neardup.tools.audit;

/**
 * Verdicts of one side on positions on which the other has none, summed over the input partitions.
 *
 * @param before the first position that both have; all where there is none
 * @param between those that both have
 * @param after the last position that both have
 */
public record LeftOut(long before, long between, long after) {
    static final LeftOut NONE = new LeftOut(0, 0, 0);

    /** All of them. */
    public long sum() {
        return before + between + after;
    }

    LeftOut plus(LeftOut other) {
        return new LeftOut(before + other.before, between + other.between, after + other.after);
    }
}
