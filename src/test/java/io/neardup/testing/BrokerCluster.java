package io.neardup.testing;

import io.neardup.testing.BrokerProcess.Listener;
import io.neardup.testing.BrokerProcess.Node;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    private final List<Link> links = new ArrayList<>();

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
        return new BrokerCluster(folder, count, jars, 0).start();
    }

    /** Starts one broker with ways to it that can be cut, one after the other for each client. */
    public static BrokerCluster startLinked(Path folder, int links) throws IOException {
        return new BrokerCluster(folder, 1, BrokerJars.own(), links).start();
    }

    private BrokerCluster start() throws IOException {
        for (BrokerProcess node : nodes) {
            node.launch();
        }
        nodes.forEach(BrokerProcess::awaitReady);
        return this;
    }

    private BrokerCluster(Path folder, int count, BrokerJars jars, int linked) throws IOException {
        List<Listener> listeners = new ArrayList<>();
        for (int i = 0; i < linked; i++) {
            Link link = new Link();
            links.add(link);
            listeners.add(new Listener("LINK" + i, "PLAINTEXT", link.brokerPort(), link.port()));
        }
        if (count == 1) {
            Node alone = BrokerProcess.alone();
            brokers.add(new BrokerProcess(folder.resolve("broker"), jars, alone, listeners, Map.of()));
        } else {
            String voter = BrokerProcess.voter(CONTROLLER, BrokerProcess.freePort());
            String id = Uuid.randomUuid().toString();
            Node controller = new Node(CONTROLLER, "controller", voter, id, count);
            nodes.add(new BrokerProcess(folder.resolve("controller"), jars, controller, listeners, Map.of()));
            for (int number = 0; number < count; number++) {
                Node broker = new Node(number, "broker", voter, id, count);
                brokers.add(new BrokerProcess(folder.resolve("broker-" + number), jars, broker, listeners, Map.of()));
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

    /** The brokers, for the client of this number: by its link, if it has one. */
    public String bootstrapServers(int client) {
        return client < links.size() ? "127.0.0.1:" + links.get(client).port() : bootstrapServers();
    }

    public Link link(int client) {
        return links.get(client);
    }

    @Override
    public void close() {
        nodes.forEach(BrokerProcess::close);
        links.forEach(Link::close);
    }
}
