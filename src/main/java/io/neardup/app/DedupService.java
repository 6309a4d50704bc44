package io.neardup.app;

import io.neardup.config.IndexSettings;
import io.neardup.config.NeardupConfig;
import io.neardup.streams.DedupTopology;
import io.neardup.streams.GatedClients;
import io.neardup.streams.InputGate;
import io.neardup.streams.Signing;
import io.neardup.streams.TopicNames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The service against a cluster. It checks everything around it, then runs until it is closed or fails. */
public final class DedupService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DedupService.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);
    private static final long PURGE_SECONDS = 60;
    private static final long ABANDONED_MILLIS = 500;

    private final KafkaStreams streams;
    private final Admin admin;
    private final ScheduledExecutorService upkeep;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    // What is scheduled reports its failures itself.
    @SuppressWarnings("FutureReturnValueIgnored")
    private DedupService(KafkaStreams streams, Admin admin, TopicNames names) {
        this.streams = streams;
        this.admin = admin;
        this.upkeep = Executors.newScheduledThreadPool(2, task -> {
            Thread thread = new Thread(task, "neardup-upkeep");
            thread.setDaemon(true);
            return thread;
        });
        streams.setUncaughtExceptionHandler(this::fail);
        streams.setStateListener((now, before) -> {
            LOG.info("state={} before={}", now, before);
            if (now == KafkaStreams.State.ERROR) {
                ended.completeExceptionally(new IllegalStateException("Kafka Streams has stopped in the state ERROR"));
            } else if (now == KafkaStreams.State.NOT_RUNNING) {
                ended.complete(null);
            }
        });
        upkeep.scheduleWithFixedDelay(
                new InternalTopicPurge(admin, names), PURGE_SECONDS, PURGE_SECONDS, TimeUnit.SECONDS);
        upkeep.scheduleWithFixedDelay(
                new AbandonedTransactions(admin, names.applicationId()),
                ABANDONED_MILLIS,
                ABANDONED_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    /**
     * Checks topics and settings, creates what is the service's own, and starts.
     *
     * @throws StartupException if something is not as it must be; nothing was started then
     */
    public static DedupService start(NeardupConfig config) {
        config.warnings().forEach(LOG::warn);
        List<String> problems = StreamsSettings.problems(config);
        if (!problems.isEmpty()) {
            throw new StartupException(problems);
        }
        Admin admin = admin(config);
        try {
            Topics.Layout layout = topics(admin, config).prepare();
            IndexSettings indexSettings = IndexSettings.of(config, layout.inputPartitions());
            SettingsTopic.Index index = new SettingsTopic(config, StreamsSettings.clients(config))
                    .agree(indexSettings, layout.stateExists());
            Signing signing = Signing.of(config, index.hashSeed());
            InputGate gate = new InputGate(config.pendingMax(), config.pendingBytesMax());
            Topology topology = new DedupTopology(config, signing, layout.outputs(), gate).build();
            KafkaStreams streams = streams(topology, StreamsSettings.of(config, index.id()), gate, config);
            DedupService service = new DedupService(streams, admin, new TopicNames(config.applicationId()));
            LOG.info("starting application.id={} index={}", config.applicationId(), indexSettings.entries());
            streams.start();
            return service;
        } catch (RuntimeException e) {
            admin.close(Duration.ZERO);
            throw e;
        }
    }

    /** Creates the input and output topics that do not exist. */
    public static void createTopics(NeardupConfig config, int partitions) {
        try (Admin admin = admin(config)) {
            topics(admin, config).createGiven(partitions);
        }
    }

    private static Admin admin(NeardupConfig config) {
        try {
            return Admin.create(StreamsSettings.clients(config));
        } catch (KafkaException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new StartupException(
                    "bootstrap.servers " + cluster(config) + ": expected host:port,host:port of a cluster, found: "
                            + cause.getMessage(),
                    e);
        }
    }

    private static KafkaStreams streams(
            Topology topology, Map<String, Object> settings, InputGate gate, NeardupConfig config) {
        try {
            return new KafkaStreams(
                    topology, new StreamsConfig(settings), new GatedClients(gate, config.inputTopics()));
        } catch (StreamsException e) {
            throw new StartupException(
                    "state.dir " + settings.get(StreamsConfig.STATE_DIR_CONFIG)
                            + ": expected a folder that this process"
                            + " alone can write to, found one that is in use or not writable; give each instance on a"
                            + " machine a state.dir of its own",
                    e);
        }
    }

    private static Topics topics(Admin admin, NeardupConfig config) {
        return new Topics(new TopicAdmin(admin, cluster(config)), config);
    }

    private static String cluster(NeardupConfig config) {
        return config.bootstrapServers().orElse("(none)");
    }

    /** Looping over the same failure helps nobody: the process ends, and whoever watches it starts another. */
    private StreamThreadExceptionResponse fail(Throwable failure) {
        LOG.error("stopping, as the service failed", failure);
        ended.completeExceptionally(failure);
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }

    /** Completes when the service has stopped: normally after {@link #close}, else with what made it fail. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    public boolean isRunning() {
        return streams.state() == KafkaStreams.State.RUNNING;
    }

    /** Commits what is done, leaves the group so that others take over at once, and stops. */
    @Override
    public void close() {
        upkeep.shutdownNow();
        boolean stopped =
                streams.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
                        .withTimeout(CLOSE_TIMEOUT));
        if (!stopped) {
            LOG.warn("not stopped within seconds={}; the next start finishes what was open", CLOSE_TIMEOUT.toSeconds());
        }
        admin.close(Duration.ofSeconds(5));
        ended.complete(null);
    }
}
