package io.neardup.bench;

import io.neardup.bench.BenchReports.Speed;
import java.util.List;

/**
 * The steady part of a drain: from a tenth of the documents to nineteen twentieths. Before it, clients fetch and the
 * first transactions go. After it, the last documents wait for their commit. A drain in which everything came at once
 * is taken as a whole.
 *
 * <p>Processor time is that of the whole drain, from the moment when the subject is ready to the last document: when
 * the first tenth is out, many more may have been worked on. For the same reason the rate flatters a subject that holds
 * a large part of all documents in flight.
 *
 * @param documents that came out in it, at least 1
 * @param seconds it took, above 0
 */
record Window(long documents, double seconds, double cpuMicrosPerDocument, double brokerCpuMicrosPerDocument) {
    /**
     * How far a drain is at a moment.
     *
     * @param nanos by a monotonic clock
     * @param documents that have come out, committed
     * @param cpuNanos of the subject's process, since its start
     * @param brokerCpuNanos of the broker's process, since its start
     */
    record Sample(long nanos, long documents, long cpuNanos, long brokerCpuNanos) {}

    static final double FROM = 0.1;
    static final double TO = 0.95;

    /**
     * Cuts it out of the samples of a whole drain.
     *
     * @param samples in the order of time, the first one with none of the documents, the last one with all
     */
    static Window of(List<Sample> samples) {
        long all = samples.get(samples.size() - 1).documents();
        Sample from = firstWith(samples, (long) (FROM * all));
        Sample to = firstWith(samples, (long) (TO * all));
        Sample start = samples.get(0);
        Sample end = firstWith(samples, all);
        boolean gradual = to.documents() > from.documents();
        Sample first = gradual ? from : start;
        Sample last = gradual ? to : end;
        return new Window(
                last.documents() - first.documents(),
                (last.nanos() - first.nanos()) / 1e9,
                (end.cpuNanos() - start.cpuNanos()) / 1e3 / all,
                (end.brokerCpuNanos() - start.brokerCpuNanos()) / 1e3 / all);
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
