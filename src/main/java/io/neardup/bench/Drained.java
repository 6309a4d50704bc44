package io.neardup.bench;

import io.neardup.bench.BenchReports.Counts;
import io.neardup.bench.BenchReports.Speed;
import java.util.List;

/**
 * What a drain came to.
 *
 * @param samples in the order of time, from 0 documents to all
 * @param allocatedBytesPerDocument by all threads of the subject, in its steady part
 * @param pausesMillis of its garbage collector in the steady part
 */
record Drained(List<Sample> samples, Counts counts, double allocatedBytesPerDocument, List<Double> pausesMillis) {
    Speed speed() {
        return Window.of(samples).speed();
    }
}
