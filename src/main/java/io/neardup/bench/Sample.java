package io.neardup.bench;

/**
 * How far a drain is at a moment.
 *
 * @param nanos by a monotonic clock
 * @param documents that have come out, committed
 * @param cpuNanos of the subject's process, since its start
 * @param brokerCpuNanos of the broker's process, since its start
 */
record Sample(long nanos, long documents, long cpuNanos, long brokerCpuNanos) {}
