package io.neardup.flood;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.tools.local.EmbeddedBroker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A service that is flooded by somebody who knows its hash seed. */
final class Floods {
    static final long SEED = 42;

    private Floods() {}

    static NeardupConfig config(EmbeddedBroker broker, Path state, String... more) {
        List<String> pairs = new ArrayList<>(List.of(
                "bootstrap.servers=" + broker.bootstrapServers(),
                "state.dir=" + state,
                "replication.factor=1",
                "neardup.hash.seed=" + SEED));
        pairs.addAll(List.of(more));
        return NeardupConfig.forCluster(new Settings().pairs(pairs));
    }
}
