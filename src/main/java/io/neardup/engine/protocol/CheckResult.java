package io.neardup.engine.protocol;

import java.util.List;
import java.util.Optional;

/**
 * What a check found.
 *
 * @param id of the document that was checked
 * @param nearest documents of the index that are most similar to it, best first;
 *     {@link Message.CheckVerified#NEAREST_MAX} of each coordinator at most
 * @param compared with how many it was compared
 * @param leftOut how many others that share a bucket were left out at a bound
 * @param fullBuckets how many of its buckets were full, and may have refused others
 */
public record CheckResult(String id, List<Neighbour> nearest, int compared, int leftOut, int fullBuckets) {
    public CheckResult {
        nearest = List.copyOf(nearest);
    }

    /** The original that it would be a duplicate of at a threshold. */
    public Optional<Neighbour> originalAt(double threshold) {
        return nearest.stream()
                .filter(neighbour ->
                        !neighbour.isPending() && neighbour.similarity().value() >= threshold)
                .findFirst();
    }

    /** The threshold from which on, upwards, it would be unique; 0 where no original is like it. */
    public double uniqueAbove() {
        return nearest.stream()
                .filter(neighbour -> !neighbour.isPending())
                .mapToDouble(neighbour -> neighbour.similarity().value())
                .max()
                .orElse(0);
    }
}
