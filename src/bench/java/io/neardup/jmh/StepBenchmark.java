package io.neardup.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** How single steps are measured: microseconds each, on one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx4g")
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public abstract class StepBenchmark {
    static final long SEED = 42;

    /** Different inputs of a benchmark, a power of two: of few, the branch predictor learns the way by heart. */
    static final int INPUTS = 1024;

    private int next;

    /** The number of the next input, from 0 to {@link #INPUTS} - 1, around and around. */
    final int next() {
        next = (next + 1) & (INPUTS - 1);
        return next;
    }
}
