package io.neardup.bench;

import java.util.List;

/**
 * What was seen of a drain at a moment. What it means in documents is known only after the outputs were read.
 *
 * @param nanos by a monotonic clock
 * @param epochMillis the same moment
 * @param ends of the output partitions, committed; they count the marks of transactions too
 */
record Sighting(long nanos, long epochMillis, List<Long> ends, long cpuNanos, long brokerCpuNanos) {
    long sumOfEnds() {
        return ends.stream().mapToLong(Long::longValue).sum();
    }

    /** The same moment with the ends of another. */
    Sighting withEnds(List<Long> others) {
        return new Sighting(nanos, epochMillis, others, cpuNanos, brokerCpuNanos);
    }

    Sample sample(CommittedOutput output) {
        return new Sample(nanos, output.countBelow(ends), cpuNanos, brokerCpuNanos);
    }
}
