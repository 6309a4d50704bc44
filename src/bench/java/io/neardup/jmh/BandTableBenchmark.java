package io.neardup.jmh;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.SharedBands;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * The table of buckets with many originals in it: one document is looked up and then inserted, all its bands in one
 * table. Every document is new and none has candidates, so that each bucket that is touched is out of the processor's
 * cache. The table grows meanwhile, by some hundred thousand documents a second.
 */
public class BandTableBenchmark extends StepBenchmark {
    private static final int BANDS = 25;
    private static final int BUCKET_MAX = 1_000;

    @Param({"100000", "5000000"})
    public int originals;

    private final BandTable table = new BandTable(BANDS, BUCKET_MAX);
    private final SharedBands found = new SharedBands();
    private final SplittableRandom random = new SplittableRandom(42);
    private final long[] keys = new long[BANDS];
    private long document;

    @Setup
    public void fill() {
        while (document < originals) {
            table.insert(document, keys(), document++);
        }
    }

    private BandKeys keys() {
        for (int band = 0; band < BANDS; band++) {
            keys[band] = random.nextLong();
        }
        return BandKeys.owning(keys);
    }

    @Benchmark
    public int lookUpAndInsert() {
        BandKeys keysOfNew = keys();
        table.candidates(document, keysOfNew, Integer.MAX_VALUE, found);
        table.insert(document, keysOfNew, document++);
        return found.size();
    }

    /** What the keys of a document cost to make; to be taken off. */
    @Benchmark
    public BandKeys keysAlone() {
        return keys();
    }
}
