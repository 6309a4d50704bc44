package io.neardup.testing;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A broker as a process of its own, to be killed: one node on loopback, its data, settings and {@code broker.log} in
 * one folder. A killed or stopped one starts again with its data on the same ports. Alone it is its own controller; for
 * several see {@link BrokerCluster}.
 */
public final class BrokerProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final int ALONE = 1;
    private static final String OWN = "PLAINTEXT";
    private static final String CONTROLLER = "CONTROLLER";

    /**
     * Ports below those that systems give to whoever asks for any. So nobody takes that of a killed broker before it
     * starts again, whatever runs beside. Each process begins somewhere else.
     */
    private static final int PORT_MIN = 20_000;

    private static final int PORT_MAX = 32_000;
    private static final AtomicInteger NEXT_PORT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(PORT_MIN, PORT_MAX));

    private final Path folder;
    private final BrokerJars jars;
    private final Node node;
    private final int port;
    private @Nullable InstanceProcess process;

    /**
     * What a node is among others.
     *
     * @param roles broker, controller, or both
     * @param voter the controller, as id@host:port
     */
    record Node(int id, String roles, String voter, String clusterId, int replication) {
        boolean isBroker() {
            return roles.contains("broker");
        }

        private int controllerPort() {
            return Integer.parseInt(voter.substring(voter.lastIndexOf(':') + 1));
        }
    }

    /**
     * A way to a broker.
     *
     * @param protocol such as {@code PLAINTEXT}
     * @param advertisedPort where clients are told to connect
     */
    record Listener(String name, String protocol, int port, int advertisedPort) {
        private String at(int anyPort) {
            return name + "://127.0.0.1:" + anyPort;
        }
    }

    /**
     * Prepares a broker; it is not started.
     *
     * @param folder an empty or missing folder, such as a {@code @TempDir}
     */
    public BrokerProcess(Path folder) throws IOException {
        this(folder, BrokerJars.own(), alone(), List.of(), Map.of());
    }

    /**
     * Prepares a broker of any version, which may listen in other ways too.
     *
     * @param more settings over those of this class
     */
    BrokerProcess(Path folder, BrokerJars jars, Node node, List<Listener> moreListeners, Map<String, String> more)
            throws IOException {
        this.folder = Files.createDirectories(folder);
        this.jars = jars;
        this.node = node;
        this.port = node.isBroker() ? freePort() : node.controllerPort();
        writeSettings(moreListeners, more);
        jars.format(node.clusterId(), settingsFile());
    }

    /** Its own controller. */
    static Node alone() throws IOException {
        String clusterId = Uuid.randomUuid().toString();
        return new Node(ALONE, "broker,controller", voter(ALONE, freePort()), clusterId, 1);
    }

    static String voter(int id, int port) {
        return id + "@127.0.0.1:" + port;
    }

    /** Starts the process and returns when it takes requests. */
    public BrokerProcess start() throws IOException {
        launch();
        awaitReady();
        return this;
    }

    /** Starts the process and does not wait. */
    void launch() throws IOException {
        if (process != null) {
            throw new IllegalStateException("the broker runs already");
        }
        process = InstanceProcess.launch(jars.command(settingsFile()), log());
    }

    public String bootstrapServers() {
        return "127.0.0.1:" + port;
    }

    /** What the broker printed. */
    public Path log() {
        return folder.resolve("broker.log");
    }

    /** As {@code kill -9}; returns when the process is gone. */
    public void killHard() {
        close();
    }

    /** Asks the broker to stop and waits until it has. */
    public void stop() throws InterruptedException {
        Objects.requireNonNull(process).stop();
        process = null;
    }

    @Override
    public void close() {
        if (process != null) {
            process.close();
            process = null;
        }
    }

    void awaitReady() {
        InstanceProcess started = Objects.requireNonNull(process, "not started");
        Awaitility.await("broker at " + bootstrapServers() + ", see " + log())
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .failFast("the broker ended, see " + log(), () -> !started.isAlive())
                .until(() -> takesConnections() && (!node.isBroker() || takesRequests()));
    }

    /** Asked first, because an admin client warns of every connection it does not get. */
    private boolean takesConnections() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private boolean takesRequests() throws InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
            return !admin.describeCluster().nodes().get().isEmpty();
        } catch (ExecutionException e) {
            return false;
        }
    }

    /** All but one replica take a write. */
    private void writeSettings(List<Listener> moreListeners, Map<String, String> more) throws IOException {
        List<String> lines = new ArrayList<>(listeners(moreListeners));
        lines.addAll(List.of(
                "process.roles=" + node.roles(),
                "node.id=" + node.id(),
                "log.dirs=" + folder.resolve("data"),
                "controller.listener.names=" + CONTROLLER,
                "controller.quorum.voters=" + node.voter(),
                "auto.create.topics.enable=false",
                "group.initial.rebalance.delay.ms=0",
                "group.min.session.timeout.ms=1000",
                "log.cleaner.dedupe.buffer.size=4194304",
                // A killed broker that starts again waits so long for its old registration to end, 9 s by default.
                // Much shorter, a busy machine lets a broker fence itself while it starts.
                "broker.session.timeout.ms=6000",
                "broker.heartbeat.interval.ms=500",
                "default.replication.factor=" + node.replication(),
                "offsets.topic.replication.factor=" + node.replication(),
                "offsets.topic.num.partitions=2",
                "transaction.state.log.replication.factor=" + node.replication(),
                "transaction.state.log.num.partitions=2"));
        int written = Math.max(1, node.replication() - 1);
        lines.addAll(List.of("min.insync.replicas=" + written, "transaction.state.log.min.isr=" + written));
        more.forEach((key, value) -> lines.add(key + "=" + value));
        Files.write(settingsFile(), lines);
    }

    private List<String> listeners(List<Listener> more) {
        List<Listener> advertised = new ArrayList<>(more);
        if (node.isBroker()) {
            advertised.add(new Listener(OWN, "PLAINTEXT", port, port));
        }
        List<Listener> all = new ArrayList<>(advertised);
        all.add(new Listener(CONTROLLER, "PLAINTEXT", node.controllerPort(), node.controllerPort()));
        List<Listener> bound = node.roles().contains("controller") ? all : advertised;
        List<String> settings = new ArrayList<>(List.of(
                "listeners=" + joined(bound, listener -> listener.at(listener.port())),
                "listener.security.protocol.map="
                        + joined(all, listener -> listener.name() + ":" + listener.protocol())));
        if (node.isBroker()) {
            settings.add("inter.broker.listener.name=" + OWN);
            settings.add(
                    "advertised.listeners=" + joined(advertised, listener -> listener.at(listener.advertisedPort())));
        }
        return settings;
    }

    private static String joined(List<Listener> listeners, Function<Listener, String> text) {
        return listeners.stream().map(text).collect(Collectors.joining(","));
    }

    private Path settingsFile() {
        return folder.resolve("server.properties");
    }

    static int freePort() throws IOException {
        for (int tries = PORT_MIN; tries < PORT_MAX; tries++) {
            int port = NEXT_PORT.getAndUpdate(last -> last + 1 < PORT_MAX ? last + 1 : PORT_MIN);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IOException("expected a free port from " + PORT_MIN + " to " + PORT_MAX + ", found none");
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (BindException e) {
            return false;
        }
    }
}
