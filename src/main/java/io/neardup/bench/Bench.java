package io.neardup.bench;

import io.neardup.bench.BenchReports.Comparison;
import io.neardup.bench.BenchReports.Growth;
import io.neardup.bench.BenchReports.Spread;
import io.neardup.local.Resources;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Benchmarks on a broker of their own: everything runs in processes that end with this one, in a temporary folder that is
 * deleted.
 *
 * <p>One instance is for one call. {@link #close} may be called by another thread at any time, also by a shutdown hook.
 */
public final class Bench implements AutoCloseable {
    private final BenchOptions options;
    private final BenchProgress progress;
    private final RateSeries rates = new RateSeries();
    private final Resources resources = new Resources();

    public Bench(BenchOptions options, BenchProgress progress) {
        this.options = options;
        this.progress = progress;
    }

    /** A benchmark on a session. */
    private interface Body<R> {
        R run(BenchSession session) throws IOException, InterruptedException;
    }

    /** The service against a passthrough. */
    public Comparison compare() throws IOException, InterruptedException {
        return run(session -> new ComparisonRun(session, rates).run());
    }

    /**
     * The service as its index grows.
     *
     * @param sizes unique documents, rising, at least one
     */
    public Growth grow(List<Long> sizes) throws IOException, InterruptedException {
        return run(session -> new GrowthRun(session, rates).run(sizes));
    }

    /** The service with more and fewer partitions. */
    public Spread spread() throws IOException, InterruptedException {
        return run(session -> new SpreadRun(session, rates).run());
    }

    private <R> R run(Body<R> body) throws IOException, InterruptedException {
        try {
            return body.run(new BenchSession(options, progress, resources));
        } catch (IOException | RuntimeException e) {
            // What fails because it was closed under the benchmark says nothing of its own.
            if (resources.isClosed()) {
                throw new BenchException("stopped before the end", e);
            }
            throw e;
        } finally {
            close();
        }
    }

    /** Draws the rates over time of what was run, as PNG. */
    public void draw(Path file) throws IOException {
        RateChart.write(file, rates);
    }

    /** Ends all processes and deletes the folder. Returns when that is done. */
    @Override
    public void close() {
        resources.close();
    }
}
