package io.neardup.service.lifecycle;

import io.neardup.config.Limits;
import io.neardup.config.ListenAddress;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Signing;
import io.neardup.service.cluster.AbandonedTransactions;
import io.neardup.service.cluster.AccessCheck;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.FailureCause;
import io.neardup.service.cluster.GroupStatus;
import io.neardup.service.cluster.LocalState;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StoredIndex;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.service.cluster.TopicWatch;
import io.neardup.service.cluster.Topics;
import io.neardup.service.lifecycle.ServiceStatus.Phase;
import io.neardup.service.migration.SeedWatch.SeedingStatus;
import io.neardup.streams.input.InputGate;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.DedupTopology;
import io.neardup.streams.topology.StreamsClients;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.apache.kafka.streams.errors.TopologyException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** The service against a cluster. It checks everything around it, then runs until it is closed or fails. */
public final class DedupService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DedupService.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);
    /** What hinders the service hinders its last commit too, where another thread is in it. */
    private static final Duration CLOSE_TIMEOUT_FAILED = Duration.ofSeconds(5);

    /** Others wait for what is found there. */
    private static final long AWAITED_MILLIS = 500;

    static final long LOOK_MILLIS = 5_000;
    private static final long TIDY_MILLIS = 60_000;

    private final NeardupConfig config;
    private final ClusterAdmin admin;
    private final ServiceCounts counts = new ServiceCounts();
    private final PeriodicWork periodic;
    private final OpenedIndex index;
    private final TopicWatch topics;
    private final FailureCause cause;
    private final KafkaStreams streams;
    private final StreamsState state;
    private final String instance;
    private final LocalState localState;
    private final DocumentChecks checks;
    private final Alerts alerts;
    private final ThresholdSeparation separation;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile List<String> unpurged = List.of();
    private boolean closed;
    private volatile String stopping = "stopping, as the service failed: the end of its log tells why";

    private DedupService(NeardupConfig config, ClusterAdmin admin, StartChecks checked, Topology application) {
        this.config = config;
        this.admin = admin;
        this.index = checked.index();
        this.topics = checked.watch();
        this.periodic = new PeriodicWork(PeriodicWork.GRACE, this::end);
        Topics.Setup setup = checked.setup();
        Map<String, Object> settings = StreamsSettings.of(config, index.stored().id());
        Path stateFolder = Path.of(String.valueOf(settings.get(StreamsConfig.STATE_DIR_CONFIG)));
        this.cause = new FailureCause(topics, stateFolder);
        Signing signing = Signing.of(config, index.stored().hashSeed());
        this.localState = new LocalState(stateFolder.resolve(config.applicationId()), StreamsSettings.kept(settings));
        this.checks = new DocumentChecks(config, signing);
        this.separation = ThresholdSeparation.of(config, signing);
        // The last that may fail: nobody would close it.
        this.streams = streams(settings, application, setup, signing);
        this.state = new StreamsState(streams, new TopicNames(config.applicationId()).storiesChangelog(), this::end);
        this.instance = streams.metadataForLocalThreads().stream()
                .map(thread -> GroupStatus.instance(thread.threadName()))
                .findFirst()
                .orElseThrow();
        this.alerts = new Alerts(
                admin,
                config,
                instance,
                setup.inputPartitions(),
                counts,
                this::status,
                () -> Stream.concat(topics.grown().stream(), unpurged.stream()).toList(),
                index,
                stateFolder);
        streams.setGlobalStateRestoreListener(state);
        streams.setStandbyUpdateListener(state);
        streams.setUncaughtExceptionHandler(this::fail);
        streams.setStateListener((now, before) -> {
            LOG.info("state={} before={}", now, before);
            if (now == KafkaStreams.State.ERROR) {
                ended.completeExceptionally(new IllegalStateException("Kafka Streams has stopped in the state ERROR"));
            } else if (now == KafkaStreams.State.NOT_RUNNING) {
                ended.complete(null);
            }
        });
    }

    /**
     * Checks topics and settings, creates what is the service's own, and starts.
     *
     * @throws StartupException if something is not as it must be; nothing was started then
     */
    public static DedupService start(NeardupConfig config) {
        return start(config, new Topology());
    }

    /**
     * As {@link #start(NeardupConfig)}, with nodes of an application of one's own beside the flow: they may read the
     * outputs and topics of their own, run in the same threads, and belong to the same transactions. They need names,
     * and a failure in one of them ends the service.
     *
     * @param application its nodes; the flow is added to it, and it is of no more use afterwards
     * @throws StartupException if something is not as it must be, also if Kafka Streams refuses the application's nodes
     *     beside those of the flow; nothing was started then
     */
    public static DedupService start(NeardupConfig config, Topology application) {
        return start(config, application, 1);
    }

    /** As {@link #start(NeardupConfig, Topology)}, looking around so many times as often as for users. */
    static DedupService start(NeardupConfig config, Topology application, int haste) {
        config.warnings().forEach(LOG::warn);
        StreamsSettings.advice(config).ifPresent(LOG::warn);
        if (!(Time.SYSTEM instanceof SteadyClock.Reader)) {
            LOG.warn("expected the jar of neardup before kafka-clients on the class path, found it behind: where the"
                    + " clock of this host is set back, nothing leaves until it has caught up; put it first");
        }
        StartChecks.requireSettings(config);
        ClusterAdmin admin = ClusterAdmin.open(config);
        try {
            StartChecks checks = StartChecks.passed(config, admin);
            DedupService service = new DedupService(config, admin, checks, application);
            service.begin(checks, haste);
            return service;
        } catch (RuntimeException e) {
            admin.close();
            throw e;
        }
    }

    /** Where that fails nothing may stay: this process could not lock state.dir another time. */
    private void begin(StartChecks checked, int haste) {
        try {
            localState.begin(checked.setup().markersKept(), System.currentTimeMillis());
            checked.restoreChangelogSettings();
            streams.start();
            LOG.info(
                    "this is instance={} host={} http={}",
                    instance,
                    host(),
                    config.httpListen().map(ListenAddress::toString).orElse("off"));
            startPeriodicWork(haste);
        } catch (RuntimeException e) {
            // A start opens the stores: what the disk says there is explained as while it runs.
            Throwable failure = e;
            try {
                failure = cause.of(e);
            } finally {
                close();
            }
            throw failure instanceof StartupException explained ? explained : e;
        }
    }

    /** As this process knows it, for the log. */
    private static String host() {
        try {
            return InetAddress.getLocalHost().toString();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    private void startPeriodicWork(int haste) {
        periodic.every(TIDY_MILLIS / haste, "purge the internal topics", this::purge);
        AbandonedTransactions abandoned = new AbandonedTransactions(admin, config.applicationId());
        periodic.every(AWAITED_MILLIS, "look for transactions of instances that are gone", abandoned::look);
        periodic.every(LOOK_MILLIS / haste, "look at the topics", this::watchTopics);
        periodic.every(LOOK_MILLIS / haste, "look for what needs alerts", alerts::look);
        periodic.every(
                AWAITED_MILLIS,
                "look at what is noted of seeds and of a cutover",
                () -> index.look(() -> ended.complete(null), this::end));
        periodic.every(TIDY_MILLIS / haste, "tidy up the state", () -> localState.tidyUp(System.currentTimeMillis()));
    }

    /** Creates the input and output topics that do not exist. */
    public static void createTopics(NeardupConfig config, int partitions) {
        StartChecks.requireSettings(config);
        try (ClusterAdmin admin = ClusterAdmin.open(config)) {
            Topics topics = new Topics(admin, config);
            new AccessCheck(admin, config).checkCreating(topics.missing());
            topics.createGiven(partitions);
        }
    }

    private KafkaStreams streams(
            Map<String, Object> settings, Topology application, Topics.Setup setup, Signing signing) {
        InputGate gate = new InputGate(Limits.PENDING_MAX, Limits.PENDING_BYTES_MAX);
        StoredIndex stored = index.stored();
        DedupTopology flow = new DedupTopology(
                config,
                signing,
                setup.limits(),
                gate,
                stored.topics().generations(config),
                index.seeding(),
                index.cutover()::known,
                counts,
                stored::changelogName,
                setup::id);
        // Of seeds nothing is needed once all are read.
        Predicate<String> maySkip = topic -> config.inputTopics().contains(topic)
                ? config.skipsDeletedInput() && topics.isSame(topic)
                : index.seeding().isDone() || config.skipsDeletedInput();
        StreamsClients clients = new StreamsClients(flow, maySkip);
        try {
            return new KafkaStreams(flow.addTo(application), new StreamsConfig(settings), clients);
        } catch (TopologyException e) {
            throw StartupException.topology(e);
        } catch (StreamsException e) {
            Object folder = settings.get(StreamsConfig.STATE_DIR_CONFIG);
            // Where the disk is no reason, another process has locked it.
            throw FailureCause.isOfDisk(e)
                    ? StartupException.stateFolderUnwritable(folder, e)
                    : StartupException.stateFolderInUse(folder, e);
        }
    }

    /** Looping over the same failure helps nobody: the process ends, and whoever watches it starts another. */
    private StreamThreadExceptionResponse fail(Throwable failure) {
        if (FailureCause.mayRestore(failure, counts.disk())) {
            return StreamThreadExceptionResponse.REPLACE_THREAD;
        }
        if (!ended.isDone()) {
            end(cause.of(failure));
        }
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }

    private void watchTopics() {
        List<String> changes = topics.lastingChanges();
        if (!changes.isEmpty() && !ended.isDone()) {
            end(new StartupException(changes));
        }
    }

    /**
     * By committed offsets: retention by time could delete what is still needed, and Kafka Streams purges only its own
     * topics.
     */
    private void purge() {
        TopicNames names = new TopicNames(config.applicationId());
        List<String> purged = new ArrayList<>(List.of(names.lookups(), names.replies(), names.storyEvents()));
        // Until coordinators have released all documents of seeds, these are needed.
        if (index.seeds().status().isDone()) {
            purged.add(names.seeds());
        }
        try {
            admin.deleteRead(config.applicationId(), purged);
            unpurged = List.of();
        } catch (StartupException e) {
            if (!FailureCause.isNoAnswer(e)) {
                unpurged = List.of("the internal topics grow, as they cannot be purged: " + e.getMessage());
            }
            throw e;
        }
    }

    private void end(Throwable failure) {
        if (!ended.completeExceptionally(failure)) {
            return; // Another thread was first.
        }
        if (failure instanceof StartupException) {
            stopping = "stopping: " + failure.getMessage();
            LOG.error(stopping);
        } else {
            LOG.error("stopping, as the service failed", failure);
        }
    }

    /** Completes when it has stopped, or has handed its input over and is to be closed; else with what made it fail. */
    public CompletableFuture<Void> ended() {
        return ended.copy();
    }

    public NeardupConfig config() {
        return config;
    }

    /** What its tasks did, as far as it is committed. */
    public ServiceCounts counts() {
        return counts;
    }

    public ThresholdSeparation separation() {
        return separation;
    }

    /** What it is at now. Asks neither the cluster nor a stream thread. */
    public ServiceStatus status() {
        ServiceStatus.Restoring left = state.restoring();
        return new ServiceStatus(
                phase(left),
                state.tasks(),
                left,
                index.seeds().status(),
                index.cutover().known().state(),
                state.brokersAnswer());
    }

    /** Connections to brokers of its consumers that read the input. */
    public long brokerConnections() {
        return state.connections().getSum();
    }

    /** What the cluster knew of all instances at most some seconds ago; empty where it has never answered. */
    public Optional<GroupStatus> group() {
        return alerts.group();
    }

    /** What an operator should look at now, a sentence each, without ids or texts; mostly nothing. */
    public List<String> alerts() {
        return ended.isCompletedExceptionally() ? List.of(stopping) : alerts.current();
    }

    /** How many of them an alerting system is to know: not what has a metric of its own, or stays on purpose. */
    public int alertsCounted() {
        return alerts.counted();
    }

    /** What this instance is called in the group; with client.id set it may not be the only one of that name. */
    public String instance() {
        return instance;
    }

    private Phase phase(ServiceStatus.Restoring left) {
        if (ended.isCompletedExceptionally()) {
            return Phase.FAILED;
        }
        if (isRunning()) {
            SeedingStatus seeding = index.seeds().status();
            if (!seeding.isDone()) {
                return seeding.isFollowing() ? Phase.FOLLOWING : Phase.SEEDING;
            }
            boolean keepsInput = index.cutover().known().state().request().isEmpty();
            return keepsInput ? Phase.RUNNING : Phase.HANDING_OVER;
        }
        return switch (streams.state()) {
            case CREATED -> Phase.STARTING;
            case RUNNING, REBALANCING -> left.partitions() > 0 ? Phase.RESTORING : Phase.REBALANCING;
            case PENDING_SHUTDOWN, NOT_RUNNING -> Phase.STOPPING;
            case PENDING_ERROR, ERROR -> Phase.FAILED;
        };
    }

    /** Whether all of its tasks work, but some for stories that are being restored, if there are such. */
    public boolean isRunning() {
        KafkaStreams.State now = streams.state();
        return now == KafkaStreams.State.RUNNING
                || (now == KafkaStreams.State.REBALANCING && state.restoresStoriesAlone());
    }

    /** Checks documents against the index of all instances, without a trace. */
    public DocumentChecks checks() {
        return checks;
    }

    /**
     * Commits what is done, leaves the group so that others take over at once, and stops. A second call waits for the
     * first.
     */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        periodic.close();
        checks.close();
        Duration timeout = ended.isCompletedExceptionally() ? CLOSE_TIMEOUT_FAILED : CLOSE_TIMEOUT;
        boolean stopped =
                streams.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
                        .withTimeout(timeout));
        if (!stopped) {
            Level level = ended.isCompletedExceptionally() ? Level.INFO : Level.WARN;
            LOG.atLevel(level)
                    .log("not stopped within seconds={}; the next start finishes what was open", timeout.toSeconds());
        }
        admin.close();
        ended.complete(null);
    }
}
