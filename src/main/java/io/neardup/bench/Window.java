package io.neardup.bench;

import io.neardup.bench.BenchReports.Speed;
import java.util.List;

/**
 * The steady part of a drain: from a tenth of the documents to nineteen twentieths. Before it, clients fetch and the
 * first transactions go; after it, the last documents wait for their commit. A drain in which everything came at once
 * is taken as a whole.
 *
 * @param documents that came out in it, at least 1
 * @param seconds it took, above 0
 */
record Window(long documents, double seconds, double cpuMicrosPerDocument, double brokerCpuMicrosPerDocument) {
    private static final double FROM = 0.1;
    private static final double TO = 0.95;

    /**
     * Cuts it out of the samples of a whole drain.
     *
     * @param samples in the order of time, the first one with none of the documents, the last one with all
     */
    static Window of(List<Sample> samples) {
        long all = samples.get(samples.size() - 1).documents();
        Sample from = firstWith(samples, (long) (FROM * all));
        Sample to = firstWith(samples, (long) (TO * all));
        return to.documents() > from.documents()
                ? between(from, to)
                : between(samples.get(0), samples.get(samples.size() - 1));
    }

    private static Window between(Sample from, Sample to) {
        long documents = to.documents() - from.documents();
        return new Window(
                documents,
                (to.nanos() - from.nanos()) / 1e9,
                (to.cpuNanos() - from.cpuNanos()) / 1e3 / documents,
                (to.brokerCpuNanos() - from.brokerCpuNanos()) / 1e3 / documents);
    }

    private static Sample firstWith(List<Sample> samples, long documents) {
        return samples.stream()
                .filter(sample -> sample.documents() >= documents)
                .findFirst()
                .orElseThrow();
    }

    Speed speed() {
        return new Speed(documents / seconds, cpuMicrosPerDocument, brokerCpuMicrosPerDocument);
    }
}
