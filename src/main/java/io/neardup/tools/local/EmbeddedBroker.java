package io.neardup.tools.local;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Properties;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.storage.Formatter;
import org.jspecify.annotations.Nullable;

/**
 * A real Kafka broker inside this process: one node, broker and controller in one, on ports of the loopback address. It
 * is ready some 3 seconds after the start. It asks for no passwords.
 *
 * <p>The folder keeps topics and offsets; a later start on it finds them, on other ports. One broker at a time may use
 * a folder. Deleting the folder while the broker runs makes Kafka end the process.
 */
public final class EmbeddedBroker implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final int NODE_ID = 1;
    private static final int ANY_PORT = 0;
    private static final String BROKER = "kafka.server.KafkaRaftServer";

    private final KafkaRaftServer server;
    private final String bootstrapServers;

    private EmbeddedBroker(KafkaRaftServer server, String bootstrapServers) {
        this.server = server;
        this.bootstrapServers = bootstrapServers;
    }

    /**
     * Starts a broker and returns when it takes requests.
     *
     * @param folder of the broker alone; made if it is missing
     * @throws IOException if the folder cannot be used, or holds the data of another kind of cluster, or where the jars
     *     of the broker are missing
     */
    public static EmbeddedBroker start(Path folder) throws IOException {
        return start(folder, ANY_PORT);
    }

    /**
     * As {@link #start(Path)}, on a port that clients know before.
     *
     * @param port 0 for any that is free
     * @throws IOException also if the port is in use
     */
    public static EmbeddedBroker start(Path folder, int port) throws IOException {
        checkIsThere();
        Files.createDirectories(folder);
        checkNotInUse(folder);
        try (ServerSocket broker = reserved(port);
                ServerSocket controller = reserved(ANY_PORT)) {
            // Both are held until both are known: they have to differ.
            return start(folder, broker, controller);
        }
    }

    private static void checkIsThere() throws IOException {
        try {
            Class.forName(BROKER, false, EmbeddedBroker.class.getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IOException(
                    "expected the jars of a broker beside the service, found none, as in the image: local and"
                            + " broker need the jar and the folder lib of a build",
                    e);
        }
    }

    private static EmbeddedBroker start(Path folder, ServerSocket broker, ServerSocket controller) throws IOException {
        int brokerPort = broker.getLocalPort();
        int controllerPort = controller.getLocalPort();
        format(folder);
        KafkaConfig config = KafkaConfig.fromProps(settings(folder, brokerPort, controllerPort), false);
        EmbeddedBroker embedded = new EmbeddedBroker(new KafkaRaftServer(config, Time.SYSTEM), HOST + ":" + brokerPort);
        broker.close();
        controller.close();
        embedded.startup();
        return embedded;
    }

    private void startup() {
        boolean started = false;
        try {
            server.startup();
            started = true;
        } finally {
            if (!started) {
                close();
            }
        }
    }

    /** What clients take for {@code bootstrap.servers}. */
    public String bootstrapServers() {
        return bootstrapServers;
    }

    /** Stops the broker and waits until it has; the folder stays. */
    @Override
    public void close() {
        server.shutdown();
        server.awaitShutdown();
    }

    /** Kafka ends the process when it finds its folder locked, so we look first. */
    private static void checkNotInUse(Path folder) throws IOException {
        try (FileChannel channel =
                        FileChannel.open(folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                throw inUse(folder, null);
            }
        } catch (OverlappingFileLockException e) {
            throw inUse(folder, e);
        }
    }

    private static IOException inUse(Path folder, @Nullable Exception cause) {
        return new IOException("another broker is using " + folder + ": stop it, or take another folder", cause);
    }

    /** Gives a new folder its cluster id; an old one keeps its own. */
    private static void format(Path folder) throws IOException {
        String directory = folder.toString();
        String clusterId = new MetaPropertiesEnsemble.Loader()
                .addLogDirs(List.of(directory))
                .addMetadataLogDir(directory)
                .load()
                .clusterId()
                .orElseGet(() -> Uuid.randomUuid().toString());
        Formatter formatter = new Formatter()
                .setPrintStream(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8))
                .setNodeId(NODE_ID)
                .setClusterId(clusterId)
                .addDirectory(directory)
                .setMetadataLogDirectory(directory)
                .setControllerListenerName("CONTROLLER")
                .setIgnoreFormatted(true);
        try {
            formatter.run();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException(
                    "cannot prepare " + folder + " for a broker; use an empty folder: " + e.getMessage(), e);
        }
    }

    private static Properties settings(Path folder, int brokerPort, int controllerPort) {
        Properties settings = new Properties();
        settings.setProperty("process.roles", "broker,controller");
        settings.setProperty("node.id", String.valueOf(NODE_ID));
        settings.setProperty("log.dirs", folder.toString());
        settings.setProperty(
                "listeners", "PLAINTEXT://" + HOST + ":" + brokerPort + ",CONTROLLER://" + HOST + ":" + controllerPort);
        settings.setProperty("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.setProperty("controller.listener.names", "CONTROLLER");
        settings.setProperty("controller.quorum.voters", NODE_ID + "@" + HOST + ":" + controllerPort);
        settings.setProperty("auto.create.topics.enable", "false");
        addSmallInternalTopics(settings);
        addModestResources(settings);
        return settings;
    }

    private static void addSmallInternalTopics(Properties settings) {
        settings.setProperty("offsets.topic.replication.factor", "1");
        settings.setProperty("offsets.topic.num.partitions", "2");
        settings.setProperty("transaction.state.log.replication.factor", "1");
        settings.setProperty("transaction.state.log.min.isr", "1");
        settings.setProperty("transaction.state.log.num.partitions", "2");
        settings.setProperty("share.coordinator.state.topic.replication.factor", "1");
        settings.setProperty("share.coordinator.state.topic.min.isr", "1");
        settings.setProperty("share.coordinator.state.topic.num.partitions", "1");
    }

    private static void addModestResources(Properties settings) {
        settings.setProperty("group.initial.rebalance.delay.ms", "0");
        settings.setProperty("num.network.threads", "2");
        settings.setProperty("num.io.threads", "4");
        // What is compacted here is thrown away with the folder.
        settings.setProperty("log.cleaner.enable", "false");
        settings.setProperty("log.segment.bytes", String.valueOf(128 << 20));
        // Enough for such a segment. Linux reads ahead in what Kafka maps: up to all of it is filled with zeros at its
        // first record.
        settings.setProperty("log.index.size.max.bytes", String.valueOf(512 << 10));
        // Documents may carry old timestamps; what they are kept for is the run, not a week.
        settings.setProperty("log.retention.ms", "-1");
    }

    private static ServerSocket reserved(int port) throws IOException {
        try {
            return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        } catch (BindException e) {
            throw new IOException("port " + port + " of " + HOST + ": expected a free one, found it in use", e);
        }
    }
}
