package io.neardup.bench;

import io.neardup.config.NeardupConfig;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.streams.metrics.ServiceMetric;
import java.util.concurrent.CompletableFuture;

/** What is measured. */
interface Subject extends AutoCloseable {
    boolean isRunning();

    /** Completes when it has stopped, with what made it fail if it did. */
    CompletableFuture<Void> ended();

    /** Heap that the buckets and sketches of all its partitions take; 0 where it keeps none. */
    default long indexBytes() {
        return 0;
    }

    @Override
    void close();

    /** The kinds there are. */
    enum Kind {
        /** Copies every record: the floor of what any exactly-once service costs. */
        PASSTHROUGH {
            @Override
            Subject start(NeardupConfig config) {
                return Passthrough.start(config);
            }
        },
        /** The whole service. */
        SERVICE {
            @Override
            Subject start(NeardupConfig config) {
                return of(DedupService.start(config));
            }
        };

        abstract Subject start(NeardupConfig config);
    }

    private static Subject of(DedupService service) {
        return new Subject() {
            @Override
            public boolean isRunning() {
                return service.isRunning();
            }

            @Override
            public CompletableFuture<Void> ended() {
                return service.ended();
            }

            @Override
            public long indexBytes() {
                return service.counts().values(ServiceMetric.INDEX_BYTES).sum();
            }

            @Override
            public void close() {
                service.close();
            }
        };
    }
}
