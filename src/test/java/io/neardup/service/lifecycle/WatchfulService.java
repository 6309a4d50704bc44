package io.neardup.service.lifecycle;

import io.neardup.config.NeardupConfig;
import org.apache.kafka.streams.Topology;

/** Starts the service as its users do, but for how often it looks around: tests would wait for that. */
public final class WatchfulService {
    static final DedupService.Periods PERIODS = new DedupService.Periods(500, 500, 500, 6_000, 500, 6_000);

    private WatchfulService() {}

    /** As {@link DedupService#start(NeardupConfig)}. */
    public static DedupService start(NeardupConfig config) {
        return DedupService.start(config, new Topology(), PERIODS);
    }
}
