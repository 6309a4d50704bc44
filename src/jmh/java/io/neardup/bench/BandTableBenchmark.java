package io.neardup.bench;

import io.neardup.lsh.BandKeys;
import io.neardup.lsh.BandTable;
import io.neardup.lsh.Candidates;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The table of buckets with many originals in it: one document is looked up and then inserted, all its bands in one table.
 * Every document is new and none has candidates, so that each bucket that is touched is out of the processor's cache.
 * The table grows meanwhile, by some hundred thousand documents a second.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx4g")
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class BandTableBenchmark {
    private static final int BANDS = 25;
    private static final int BUCKET_MAX = 1_000;

    @Param({"100000", "5000000"})
    public int originals;

    private final BandTable table = new BandTable(BANDS, BUCKET_MAX);
    private final Candidates found = new Candidates();
    private final SplittableRandom random = new SplittableRandom(42);
    private final long[] keys = new long[BANDS];
    private long document;

    @Setup
    public void fill() {
        while (document < originals) {
            table.insert(document++, keys());
        }
    }

    private BandKeys keys() {
        for (int band = 0; band < BANDS; band++) {
            keys[band] = random.nextLong();
        }
        return BandKeys.of(keys);
    }

    @Benchmark
    public int lookUpAndInsert() {
        BandKeys keysOfNew = keys();
        found.clear();
        table.candidates(document, keysOfNew, found);
        table.insert(document++, keysOfNew);
        return found.size();
    }

    /** What the keys of a document cost to make; to be taken off. */
    @Benchmark
    public BandKeys keysAlone() {
        return keys();
    }
}
