package io.neardup.testing;

import io.neardup.bench.JavaProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A broker as a process of its own, to be killed: one node on loopback, its data, settings and {@code broker.log} in
 * one folder. A killed or stopped one starts again with its data on the same ports.
 */
public final class BrokerProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path folder;
    private final int brokerPort;
    private final int controllerPort;
    private @Nullable Process process;

    /**
     * Prepares a broker; it is not started.
     *
     * @param folder an empty or missing folder, such as a {@code @TempDir}
     */
    public BrokerProcess(Path folder) throws IOException {
        this(folder, List.of(), Map.of());
    }

    /**
     * Prepares a broker that listens in other ways too.
     *
     * @param moreListeners as in the setting {@code listeners}
     * @param more settings over those of this class
     */
    BrokerProcess(Path folder, List<String> moreListeners, Map<String, String> more) throws IOException {
        this.folder = Files.createDirectories(folder);
        try (ServerSocket broker = freePort();
                ServerSocket controller = freePort()) {
            brokerPort = broker.getLocalPort();
            controllerPort = controller.getLocalPort();
        }
        writeSettings(moreListeners, more);
        format();
    }

    /** Starts the process and returns when it takes requests. */
    public BrokerProcess start() throws IOException {
        if (process != null) {
            throw new IllegalStateException("the broker runs already");
        }
        Process started = new ProcessBuilder(JavaProcess.command(
                        List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Dneardup.log.kafka=INFO"),
                        List.of("kafka.Kafka", settingsFile().toString())))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                .start();
        process = started;
        awaitReady(started);
        return this;
    }

    public String bootstrapServers() {
        return "127.0.0.1:" + brokerPort;
    }

    /** What the broker printed. */
    public Path log() {
        return folder.resolve("broker.log");
    }

    /** As {@code kill -9}; returns when the process is gone. */
    public void killHard() {
        end(Process::destroyForcibly);
    }

    /** Asks the broker to stop and waits until it has. */
    public void stop() {
        end(Process::destroy);
    }

    @Override
    public void close() {
        killHard();
    }

    private void end(Consumer<Process> how) {
        Process running = process;
        process = null;
        if (running == null) {
            return;
        }
        how.accept(running);
        try {
            if (!running.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                running.destroyForcibly();
                throw new IllegalStateException("the broker did not end within " + PATIENCE + ", see " + log());
            }
        } catch (InterruptedException e) {
            running.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void awaitReady(Process started) {
        Awaitility.await("broker at " + bootstrapServers() + ", see " + log())
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(200))
                .failFast("the broker ended, see " + log(), () -> !started.isAlive())
                .until(() -> takesConnections() && takesRequests());
    }

    /** Asked first, because an admin client warns of every connection it does not get. */
    private boolean takesConnections() {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), brokerPort)) {
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

    private void format() throws IOException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        List<String> arguments = List.of(
                "format",
                "--cluster-id",
                Uuid.randomUuid().toString(),
                "--config",
                settingsFile().toString());
        int exit = StorageTool.execute(
                arguments.toArray(String[]::new), new PrintStream(printed, true, StandardCharsets.UTF_8));
        if (exit != 0) {
            throw new IOException("cannot format " + folder + ": " + printed.toString(StandardCharsets.UTF_8));
        }
    }

    private void writeSettings(List<String> moreListeners, Map<String, String> more) throws IOException {
        List<String> listeners = new ArrayList<>(moreListeners);
        listeners.add("PLAINTEXT://127.0.0.1:" + brokerPort);
        listeners.add("CONTROLLER://127.0.0.1:" + controllerPort);
        Properties settings = new Properties();
        settings.putAll(Map.of(
                "process.roles", "broker,controller",
                "node.id", "1",
                "log.dirs", folder.resolve("data").toString(),
                "listeners", String.join(",", listeners),
                "listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "controller.listener.names", "CONTROLLER",
                "controller.quorum.voters", "1@127.0.0.1:" + controllerPort,
                "auto.create.topics.enable", "false",
                "group.initial.rebalance.delay.ms", "0",
                "log.cleaner.dedupe.buffer.size", "4194304"));
        // With the default of 9 s, that long a killed broker's new process waits for its own old registration to end.
        settings.putAll(Map.of("broker.session.timeout.ms", "3000", "broker.heartbeat.interval.ms", "500"));
        settings.putAll(Map.of(
                "offsets.topic.replication.factor", "1",
                "offsets.topic.num.partitions", "2",
                "transaction.state.log.replication.factor", "1",
                "transaction.state.log.min.isr", "1",
                "transaction.state.log.num.partitions", "2"));
        settings.putAll(more);
        try (OutputStream out = Files.newOutputStream(settingsFile())) {
            settings.store(out, null);
        }
    }

    private Path settingsFile() {
        return folder.resolve("server.properties");
    }

    static ServerSocket freePort() throws IOException {
        return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }
}
