package io.neardup.service.lifecycle;

import io.neardup.config.NeardupConfig;
import org.apache.kafka.streams.Topology;

/** Starts the service as its users do, but for how often it looks around: tests would wait for that. */
public final class WatchfulService {
    static final int HASTE = 10;

    private WatchfulService() {}

    /** As {@link DedupService#start(NeardupConfig)}. */
    public static DedupService start(NeardupConfig config) {
        return DedupService.start(config, new Topology(), HASTE);
    }
}
