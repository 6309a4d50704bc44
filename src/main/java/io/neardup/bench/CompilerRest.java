package io.neardup.bench;

import io.neardup.bench.WorkerProtocol.WorkerFigures;
import java.util.concurrent.TimeUnit;

/**
 * Tells when the JIT compiler of a process has little left to do: over {@value #CPU_SECONDS} s of the process's CPU
 * time, it was busy for less than {@value #SHARE} of it.
 *
 * <p>Some 2,700 methods become hot one by one. The last are those of Kafka's clients that run once a commit. So for one
 * or two minutes compiling costs more than most of what is to be measured.
 */
final class CompilerRest {
    private static final double SHARE = 0.04;
    private static final int CPU_SECONDS = 10;
    private static final long CPU_NANOS = TimeUnit.SECONDS.toNanos(CPU_SECONDS);

    private long fromCpuNanos;
    private long fromCompilationMillis;
    private boolean resting;

    /** Takes the figures of the process at a moment. */
    void observe(long cpuNanos, WorkerFigures figures) {
        long cpu = cpuNanos - fromCpuNanos;
        if (cpu >= CPU_NANOS) {
            long compilationNanos = TimeUnit.MILLISECONDS.toNanos(figures.compilationMillis() - fromCompilationMillis);
            resting = compilationNanos < SHARE * cpu;
            fromCpuNanos = cpuNanos;
            fromCompilationMillis = figures.compilationMillis();
        }
    }

    boolean isResting() {
        return resting;
    }
}
