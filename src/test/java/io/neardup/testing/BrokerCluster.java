package io.neardup.testing;

import io.neardup.testing.BrokerProcess.Node;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.Uuid;

/**
 * Brokers as processes of their own: one that is its own controller, or several with a controller beside them, where
 * every topic is on all brokers and a write on all but one. The controller is never hurt.
 */
public final class BrokerCluster implements AutoCloseable {
    private static final int CONTROLLER = 100;

    private final List<BrokerProcess> nodes = new ArrayList<>();
    private final List<BrokerProcess> brokers = new ArrayList<>();

    /**
     * Starts them and returns when all take requests.
     *
     * @param folder an empty or missing folder, such as a {@code @TempDir}
     */
    public static BrokerCluster start(Path folder, int count) throws IOException {
        return start(folder, count, BrokerJars.own());
    }

    /** Starts brokers of any version. */
    public static BrokerCluster start(Path folder, int count, BrokerJars jars) throws IOException {
        BrokerCluster cluster = new BrokerCluster(folder, count, jars);
        for (BrokerProcess node : cluster.nodes) {
            node.launch();
        }
        cluster.nodes.forEach(BrokerProcess::awaitReady);
        return cluster;
    }

    private BrokerCluster(Path folder, int count, BrokerJars jars) throws IOException {
        if (count == 1) {
            brokers.add(new BrokerProcess(folder.resolve("broker"), jars));
        } else {
            String voter = BrokerProcess.voter(CONTROLLER, BrokerProcess.freePort());
            String id = Uuid.randomUuid().toString();
            nodes.add(new BrokerProcess(
                    folder.resolve("controller"), jars, new Node(CONTROLLER, "controller", voter, id, count)));
            for (int broker = 0; broker < count; broker++) {
                brokers.add(new BrokerProcess(
                        folder.resolve("broker-" + broker), jars, new Node(broker, "broker", voter, id, count)));
            }
        }
        nodes.addAll(brokers);
    }

    public BrokerProcess broker(int number) {
        return brokers.get(number);
    }

    public String bootstrapServers() {
        return brokers.stream().map(BrokerProcess::bootstrapServers).collect(Collectors.joining(","));
    }

    @Override
    public void close() {
        nodes.forEach(BrokerProcess::close);
    }
}
