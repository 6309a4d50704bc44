package io.neardup.service.lifecycle;

import io.neardup.config.ConfigurationException;
import io.neardup.config.Limits;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Signing;
import io.neardup.service.cluster.AccessCheck;
import io.neardup.service.cluster.AdminClient;
import io.neardup.service.cluster.BrokerAbilities;
import io.neardup.service.cluster.FailureCause;
import io.neardup.service.cluster.GroupAdmin;
import io.neardup.service.cluster.GroupStatus;
import io.neardup.service.cluster.InstanceName;
import io.neardup.service.cluster.LocalState;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.service.cluster.TopicAdmin;
import io.neardup.service.cluster.TopicWatch;
import io.neardup.service.cluster.Topics;
import io.neardup.streams.input.InputGate;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.topology.DedupTopology;
import io.neardup.streams.topology.StreamsClients;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
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

    private static final long WATCH_MILLIS = 5_000;

    private final NeardupConfig config;
    private final KafkaStreams streams;
    private final LocalState localState;
    private final Admin admin;
    private final Chores chores = new Chores();
    private final AttentionWatch attention;
    private final TopicWatch watch;
    private final ServiceCounts counts;
    private final GroupWatch group;
    private final RestoreProgress restore = new RestoreProgress(System::nanoTime);
    private final DocumentChecks checks;
    private final SettingsWatch noted;
    private final String instance;
    private final FailureCause cause;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private boolean closed;
    private volatile String stopping = "stopping, as the service failed: the end of its log tells why";

    private DedupService(
            NeardupConfig config,
            KafkaStreams streams,
            LocalState localState,
            Admin admin,
            AccessCheck access,
            TopicWatch watch,
            ServiceCounts counts,
            GroupWatch group,
            DocumentChecks checks,
            StateDisk disk,
            FenceNotice fences,
            SettingsWatch noted) {
        this.noted = noted;
        this.config = config;
        this.streams = streams;
        this.checks = checks;
        this.localState = localState;
        this.admin = admin;
        this.watch = watch;
        this.counts = counts;
        this.group = group;
        this.instance = InstanceName.of(streams);
        this.cause = new FailureCause(watch);
        this.attention = new AttentionWatch(admin, config, counts, this::status, this::toldInLog, noted, disk, fences);
        streams.setGlobalStateRestoreListener(restore);
        streams.setUncaughtExceptionHandler(failure -> fail(access.explained(failure)));
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
        config.warnings().forEach(LOG::warn);
        List<String> problems = StreamsSettings.problems(config);
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        Admin admin = AdminClient.open(config);
        try {
            AccessCheck access = access(admin, config);
            access.check();
            Topics topics = topics(admin, config);
            Topics.Setup setup = topics.prepare();
            // Each time some topics are there that were not before.
            access.check();
            TopicAdmin topicAdmin = new TopicAdmin(admin, AdminClient.cluster(config));
            GroupAdmin groupAdmin = new GroupAdmin(admin, topicAdmin, config.applicationId());
            IndexAgreement agreed = IndexAgreement.of(config, topicAdmin, groupAdmin, topics, setup);
            SettingsTopic.Index index = agreed.index();
            SettingsWatch noted = new SettingsWatch(config, topicAdmin, groupAdmin, agreed, setup.inputPartitions());
            noted.begin();
            agreed.requireRest(config, topicAdmin, groupAdmin, setup);
            access.check();
            BrokerAbilities brokers = BrokerAbilities.of(admin, topicAdmin);
            brokers.lacking().ifPresent(LOG::info);
            TopicWatch watch = topics.watch(setup, index.topics());
            Map<String, Object> settings = StreamsSettings.of(config, index.id());
            Path stateFolder = Path.of(String.valueOf(settings.get(StreamsConfig.STATE_DIR_CONFIG)));
            Signing signing = Signing.of(config, index.hashSeed());
            ServiceCounts counts = new ServiceCounts();
            FenceNotice fences = new FenceNotice();
            DedupService service = new DedupService(
                    config,
                    streams(config, settings, application, setup, agreed, noted, signing, watch, counts, fences),
                    new LocalState(stateFolder, config.applicationId(), StreamsSettings.kept(settings)),
                    admin,
                    access,
                    watch,
                    counts,
                    new GroupWatch(admin, config.applicationId(), config.inputTopics(), setup.inputPartitions()),
                    new DocumentChecks(config, StreamsSettings.clients(config), signing),
                    new StateDisk(stateFolder),
                    fences,
                    noted);
            service.begin(setup.markersKept(), brokers, fences);
            return service;
        } catch (RuntimeException e) {
            admin.close(Duration.ZERO);
            throw e;
        }
    }

    /** Where that fails nothing may stay: this process could not lock state.dir another time. */
    private void begin(boolean markersKept, BrokerAbilities brokers, FenceNotice fences) {
        try {
            localState.begin(markersKept);
            noted.start(instance);
            streams.start();
            LOG.info("this is instance={} {}", instance, InstanceName.whereabouts(config));
            startChores(brokers, fences);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void startChores(BrokerAbilities brokers, FenceNotice fences) {
        chores.tidyUp(
                admin, config.applicationId(), brokers, () -> noted.seeding().isDone());
        chores.every(WATCH_MILLIS, "look at the topics", this::watchTopics);
        chores.every(AttentionWatch.EVERY_MILLIS, "look for what needs attention", attention::look);
        chores.every(FenceNotice.EVERY_MILLIS, "look for lost tasks", fences::look);
        chores.every(
                SettingsWatch.EVERY_MILLIS, "look at what is noted of seeds and of a cutover", this::watchSettings);
        chores.every(LocalState.TIDY_MILLIS, "tidy up the state", () -> localState.tidyUp(System.currentTimeMillis()));
    }

    /** Creates the input and output topics that do not exist. */
    public static void createTopics(NeardupConfig config, int partitions) {
        try (Admin admin = AdminClient.open(config)) {
            access(admin, config).checkCreating();
            topics(admin, config).createGiven(partitions);
        }
    }

    private static KafkaStreams streams(
            NeardupConfig config,
            Map<String, Object> settings,
            Topology application,
            Topics.Setup setup,
            IndexAgreement agreed,
            SettingsWatch noted,
            Signing signing,
            TopicWatch watch,
            ServiceCounts counts,
            FenceNotice fences) {
        InputGate gate = new InputGate(Limits.PENDING_MAX, Limits.PENDING_BYTES_MAX);
        DedupTopology flow = agreed.flow(config, signing, setup.limits(), gate, noted::orders, counts);
        // Of seeds nothing is needed once all are read.
        Predicate<String> maySkip = topic -> config.inputTopics().contains(topic)
                ? config.skipsDeletedInput() && watch.isSame(topic)
                : agreed.seeding().isDone() || config.skipsDeletedInput();
        StreamsClients clients = new StreamsClients(
                gate,
                agreed.seeding(),
                setup.inputPartitions(),
                config.inputTopics(),
                flow.documentTopics(),
                maySkip,
                fences);
        try {
            return new KafkaStreams(flow.addTo(application), new StreamsConfig(settings), clients);
        } catch (TopologyException e) {
            throw StartupException.topology(e);
        } catch (StreamsException e) {
            throw StartupException.stateFolder(settings.get(StreamsConfig.STATE_DIR_CONFIG), e);
        }
    }

    private static Topics topics(Admin admin, NeardupConfig config) {
        return new Topics(new TopicAdmin(admin, AdminClient.cluster(config)), config);
    }

    private static AccessCheck access(Admin admin, NeardupConfig config) {
        return new AccessCheck(new TopicAdmin(admin, AdminClient.cluster(config)), config);
    }

    /** Looping over the same failure helps nobody: the process ends, and whoever watches it starts another. */
    private StreamThreadExceptionResponse fail(Throwable failure) {
        if (FailureCause.isRestored(failure, counts.disk())) {
            return StreamThreadExceptionResponse.REPLACE_THREAD;
        }
        if (!ended.isDone()) {
            end(cause.of(failure));
        }
        return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }

    private void watchTopics() {
        List<String> changes = watch.lastingChanges();
        if (!changes.isEmpty() && !ended.isDone()) {
            end(new StartupException(changes));
        }
    }

    /** What the log has already, of things that stay so until somebody does something. */
    private List<String> toldInLog() {
        return Stream.concat(noted.notes().stream(), watch.grown().stream()).toList();
    }

    private void watchSettings() {
        noted.look(() -> ended.complete(null), this::end);
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

    /** What it was started with. */
    public NeardupConfig config() {
        return config;
    }

    /** What its tasks did, as far as it is committed. */
    public ServiceCounts counts() {
        return counts;
    }

    /** Records that have left as dead letters since the start, as far as it is committed. */
    public long deadLetters() {
        return counts.sum(ServiceMetric.DOCUMENTS, "dead-letter");
    }

    /** What it is at now. Asks neither the cluster nor a stream thread. */
    public ServiceStatus status() {
        RestoreStatus left = restore.status();
        int tasks = streams.metadataForLocalThreads().stream()
                .mapToInt(thread -> thread.activeTasks().size())
                .sum();
        return new ServiceStatus(
                phase(left),
                tasks,
                left,
                noted.seeding(),
                noted.handingOver(),
                streamsFigures().brokersAnswer());
    }

    public StreamsFigures streamsFigures() {
        return StreamsFigures.of(streams.metrics().values());
    }

    /**
     * What the cluster knows of all instances; empty where it does not answer. May wait for 2 s: not for threads that
     * others wait for.
     */
    public Optional<GroupStatus> group() {
        return group.status();
    }

    /** What an operator should look at now, a sentence each, without ids or texts; mostly nothing. */
    public List<String> attention() {
        return ended.isCompletedExceptionally() ? List.of(stopping) : attention.notes();
    }

    /** How many instances have gone within the last ten minutes, and no others have come; as this one sees it. */
    public int instancesGone() {
        return attention.missing();
    }

    /** What this instance is called in the group; with client.id set it may not be the only one of that name. */
    public String instance() {
        return instance;
    }

    private ServiceStatus.Phase phase(RestoreStatus left) {
        if (ended.isCompletedExceptionally()) {
            return ServiceStatus.Phase.FAILED;
        }
        return switch (streams.state()) {
            case CREATED -> ServiceStatus.Phase.STARTING;
            case RUNNING -> ServiceStatus.Phase.ofRunning(noted.seeding(), noted.handingOver());
            case REBALANCING -> left.partitions() > 0 ? ServiceStatus.Phase.RESTORING : ServiceStatus.Phase.REBALANCING;
            case PENDING_SHUTDOWN, NOT_RUNNING -> ServiceStatus.Phase.STOPPING;
            case PENDING_ERROR, ERROR -> ServiceStatus.Phase.FAILED;
        };
    }

    public boolean isRunning() {
        return streams.state() == KafkaStreams.State.RUNNING;
    }

    /** Checks documents against the index of all instances, without a trace. */
    public DocumentChecks checks() {
        return checks;
    }

    /** A reader of the texts of duplicates, to be closed by who asks for it; empty where they are not to be shown. */
    public Optional<DuplicateTexts> texts() {
        boolean shows = config.httpTexts() && config.keepsTexts();
        return shows ? Optional.of(new DuplicateTexts(config, StreamsSettings.clients(config))) : Optional.empty();
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
        chores.close();
        checks.close();
        if (!ended.isCompletedExceptionally() && !attention.isAlone()) {
            noted.leave(instance);
        }
        Duration timeout = ended.isCompletedExceptionally() ? CLOSE_TIMEOUT_FAILED : CLOSE_TIMEOUT;
        boolean stopped =
                streams.close(CloseOptions.groupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP)
                        .withTimeout(timeout));
        if (!stopped) {
            Level level = ended.isCompletedExceptionally() ? Level.INFO : Level.WARN;
            LOG.atLevel(level)
                    .log("not stopped within seconds={}; the next start finishes what was open", timeout.toSeconds());
        }
        admin.close(Duration.ofSeconds(5));
        ended.complete(null);
    }
}
