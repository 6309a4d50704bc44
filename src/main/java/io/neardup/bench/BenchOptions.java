package io.neardup.bench;

import java.util.List;

/**
 * What a benchmark does.
 *
 * @param documents to drain in a round, at least 1,000
 * @param partitions of the input topic and of the outputs, at least 1
 * @param rounds at least 1
 * @param warmUpSeconds for which each side runs before the first round at the most
 * @param latencySeconds for which documents are sent at each rate; 0 to leave latencies out
 * @param heapPercent of the machine's memory for the heap of each measured process, from 1 to 45
 * @param mainClass with the commands {@code bench-broker} and {@code bench-worker}
 * @param settingsArguments of the command line, handed on to the measured processes
 */
public record BenchOptions(
        int documents,
        int partitions,
        int rounds,
        int warmUpSeconds,
        int latencySeconds,
        int heapPercent,
        String mainClass,
        List<String> settingsArguments) {
    public static final int DOCUMENTS_MIN = 1_000;

    public BenchOptions {
        settingsArguments = List.copyOf(settingsArguments);
        if (documents < DOCUMENTS_MIN || partitions < 1 || rounds < 1 || warmUpSeconds < 0 || latencySeconds < 0) {
            throw new IllegalArgumentException("expected documents of at least " + DOCUMENTS_MIN
                    + ", partitions and rounds of at least 1,"
                    + " no negative seconds, found documents=" + documents + " partitions=" + partitions + " rounds="
                    + rounds + " warmUpSeconds=" + warmUpSeconds + " latencySeconds=" + latencySeconds);
        }
    }
}
