package io.neardup.tools.local;

import io.neardup.tools.feed.UnusableFileException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringReader;
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
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.BrokerIdNotRegisteredException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.properties.MetaPropertiesEnsemble;
import org.apache.kafka.metadata.storage.Formatter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBroker.class);

    /** Small internal topics, and modest resources. */
    private static final String SETTINGS = """
        listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
        controller.listener.names=CONTROLLER
        auto.create.topics.enable=false
        offsets.topic.replication.factor=1
        offsets.topic.num.partitions=2
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=1
        transaction.state.log.num.partitions=2
        share.coordinator.state.topic.replication.factor=1
        share.coordinator.state.topic.min.isr=1
        share.coordinator.state.topic.num.partitions=1
        group.initial.rebalance.delay.ms=0
        num.network.threads=2
        num.io.threads=4
        # 16 MB; by default 128 MB of the heap.
        log.cleaner.dedupe.buffer.size=16777216
        log.segment.bytes=134217728
        # Enough for such a segment. Linux reads ahead in what Kafka maps: up to all of it is filled with zeros at
        # its first record.
        log.index.size.max.bytes=524288
        # Documents may carry old timestamps; what they are kept for is the run, not a week.
        log.retention.ms=-1
        offsets.retention.minutes=2147483647
        """;

    /** Kafka writes it when it stops, and deletes it when it starts. */
    private static final String CLEAN_STOP = ".kafka_cleanshutdown";

    private static final int PATIENCE_MILLIS = 10_000;
    private static final int POLL_MILLIS = 20;

    private final KafkaRaftServer server;
    private final String bootstrapServers;
    private boolean isKept;

    private EmbeddedBroker(Properties settings, String address) {
        this.server = new KafkaRaftServer(KafkaConfig.fromProps(settings, false), Time.SYSTEM);
        this.bootstrapServers = address;
    }

    /**
     * Starts a broker and returns when it takes requests.
     *
     * @param folder of the broker alone; made if it is missing
     * @param port 0 for any that is free
     * @param isKept whether the folder is kept for long: topics are compacted then whose settings say so
     * @throws IOException if the folder or the port cannot be used, or the folder is that of another kind of cluster
     */
    public static EmbeddedBroker start(Path folder, int port, boolean isKept) throws IOException {
        Files.createDirectories(folder);
        checkNotInUse(folder);
        format(folder);
        if (wasKilled(folder)) {
            unregister(folder);
        }
        EmbeddedBroker embedded;
        // Both are held until the broker takes them: others may want any that is free.
        try (ServerSocket broker = reserved(port);
                ServerSocket controller = reserved(ANY_PORT)) {
            Properties settings = settings(folder, controller.getLocalPort());
            String address = HOST + ":" + broker.getLocalPort();
            settings.setProperty("process.roles", "broker,controller");
            settings.merge("listeners", "PLAINTEXT://" + address, (first, second) -> first + "," + second);
            settings.setProperty("log.cleaner.enable", String.valueOf(isKept));
            embedded = new EmbeddedBroker(settings, address);
        }
        embedded.startup();
        // Only now: a failed start must not wait for transactions.
        embedded.isKept = isKept;
        return embedded;
    }

    private static boolean wasKilled(Path folder) {
        return Files.exists(folder.resolve("__cluster_metadata-0")) && !Files.exists(folder.resolve(CLEAN_STOP));
    }

    /**
     * Takes the broker out of the metadata, to start without leading a partition. Otherwise Kafka 4.3 goes on ending
     * transactions as soon as it has read the metadata, then registers, and forgets the partitions that have no leader
     * at that moment: these transactions stay open for good (KAFKA-20734).
     */
    private static void unregister(Path folder) throws IOException {
        EmbeddedBroker controller;
        try (ServerSocket reserved = reserved(ANY_PORT)) {
            Properties settings = settings(folder, reserved.getLocalPort());
            settings.setProperty("process.roles", "controller");
            controller = new EmbeddedBroker(settings, HOST + ":" + reserved.getLocalPort());
        }
        controller.startup();
        try (controller;
                Admin admin = Admin.create(
                        Map.of(AdminClientConfig.BOOTSTRAP_CONTROLLERS_CONFIG, controller.bootstrapServers))) {
            unregister(admin);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("stopped while the broker was started again");
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof BrokerIdNotRegisteredException)) {
                throw new IOException("cannot start the broker of " + folder + " again: " + e.getCause(), e);
            }
        }
    }

    private static void unregister(Admin admin) throws InterruptedException, ExecutionException {
        for (int left = 100; ; left--) {
            try {
                admin.unregisterBroker(NODE_ID).all().get();
                return;
            } catch (ExecutionException e) {
                // It answers before it has read which version its metadata have.
                if (!(e.getCause() instanceof UnsupportedVersionException) || left == 0) {
                    throw e;
                }
                Thread.sleep(100);
            }
        }
    }

    private void startup() {
        try {
            server.startup();
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    public String bootstrapServers() {
        return bootstrapServers;
    }

    /**
     * Stops the broker and waits until it has; the folder stays. Where it is kept, transactions that are being ended
     * come to their end before, for which it waits some seconds: Kafka 4.3 leaves them open for good otherwise
     * (KAFKA-20734).
     */
    @Override
    public void close() {
        if (isKept) {
            awaitEndOfTransactions();
        }
        server.shutdown();
        server.awaitShutdown();
    }

    private void awaitEndOfTransactions() {
        ListTransactionsOptions ending = new ListTransactionsOptions()
                .filterStates(List.of(TransactionState.PREPARE_COMMIT, TransactionState.PREPARE_ABORT))
                .timeoutMs(PATIENCE_MILLIS);
        long start = System.nanoTime();
        try (Admin admin = Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
            while (!admin.listTransactions(ending).all().get().isEmpty()
                    && System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS)) {
                Thread.sleep(POLL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            LOG.warn("could not see whether transactions are being ended before the broker stops", e);
        }
    }

    /** Kafka ends the process when it finds its folder locked, so we look first. */
    private static void checkNotInUse(Path folder) throws IOException {
        try (FileChannel channel =
                        FileChannel.open(folder.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                throw inUse(folder);
            }
        } catch (OverlappingFileLockException e) {
            throw inUse(folder);
        }
    }

    private static IOException inUse(Path folder) {
        return new UnusableFileException(folder + ": expected a folder that nobody uses, found one that another broker"
                + " uses: stop it, or take another folder");
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

    private static Properties settings(Path folder, int controllerPort) throws IOException {
        Properties settings = new Properties();
        settings.load(new StringReader(SETTINGS));
        settings.setProperty("node.id", String.valueOf(NODE_ID));
        settings.setProperty("log.dirs", folder.toString());
        settings.setProperty("listeners", "CONTROLLER://" + HOST + ":" + controllerPort);
        settings.setProperty("controller.quorum.voters", NODE_ID + "@" + HOST + ":" + controllerPort);
        return settings;
    }

    private static ServerSocket reserved(int port) throws IOException {
        try {
            return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
        } catch (BindException e) {
            throw new IOException(
                    "port " + port + " of " + HOST + ": expected a free one, found it in use, or not for us: "
                            + e.getMessage(),
                    e);
        }
    }
}
