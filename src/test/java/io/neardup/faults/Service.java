package io.neardup.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.faults.Feed.Mix;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.store.Cutover.CutoverStage;
import io.neardup.testing.BrokerCluster;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.Judge.Cutover;
import io.neardup.testing.Link;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.tools.cli.CutoverRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.TopicPartition;

/** The service as a group of instances, each a process of its own, on brokers of their own; later maybe a successor. */
final class Service implements AutoCloseable {
    static final int PARTITIONS = 4;

    private static final String INDEX = "faults";
    private static final String SUCCESSOR = "successor";
    private static final int TAKEN_MIN = 10;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Pattern WARNING = Pattern.compile("(?m)^[0-9:.]{12} ((?:WARN|ERROR) .*)$");

    private final BrokerCluster cluster;
    private final Path folder;
    private final Mix mix;
    private final List<String> settings;
    private final List<Instance> instances = new ArrayList<>();
    private List<String> jvmOptions = List.of();
    private int named;
    private boolean isCutOver;

    /** A place for processes, one after the other: they share its number, its folder and its settings. */
    private final class Instance {
        private final int number;
        private final String application;
        private InstanceProcess process;

        Instance(int number, String application) throws IOException {
            this.number = number;
            this.application = application;
            this.process = start();
        }

        private InstanceProcess start() throws IOException {
            List<String> all = new ArrayList<>(settings(application));
            all.add("bootstrap.servers=" + cluster.bootstrapServers(number));
            return InstanceProcess.start(ownFolder(number), jvmOptions, all);
        }
    }

    /**
     * Makes the topics; no instance is started.
     *
     * @param settings more than those that every instance needs
     */
    Service(BrokerCluster cluster, Path folder, List<String> settings) throws ExecutionException, InterruptedException {
        this(cluster, folder, Mix.plain(PARTITIONS), settings);
    }

    /** With other inputs. */
    Service(BrokerCluster cluster, Path folder, Mix mix, List<String> settings)
            throws ExecutionException, InterruptedException {
        this.cluster = cluster;
        this.folder = folder;
        this.mix = mix;
        this.settings = settings;
        Records.createTopics(servers(), Outputs.ALL, mix.partitions());
        Records.createTopics(servers(), mix.topics(), mix.partitions());
        if (config().writesStories()) {
            // As many as the input will have: the successor writes there too, and needs one for each.
            Records.createTopic(servers(), config().verdictsTopic(), mix.grown());
            Records.createTopic(servers(), config().storiesTopic(), 2, Map.of("cleanup.policy", "compact"));
        }
    }

    /** Instances that start from now on have this heap. */
    Service withHeap(String size) {
        jvmOptions = List.of("-Xmx" + size);
        return this;
    }

    BrokerCluster cluster() {
        return cluster;
    }

    String servers() {
        return cluster.bootstrapServers();
    }

    Mix mix() {
        return mix;
    }

    private List<String> settings(String application) {
        List<String> all = new ArrayList<>(settings);
        all.add("application.id=" + application);
        all.add("neardup.input.topics=" + String.join(",", mix.topics()));
        if (application.equals(SUCCESSOR)) {
            all.add("neardup.successor.of=" + INDEX);
        }
        return all;
    }

    private ClusterView view(String application) {
        return new ClusterView(config(application));
    }

    private NeardupConfig config(String application) {
        List<String> all = settings(application);
        all.add("bootstrap.servers=" + servers());
        return NeardupConfig.forCluster(new Settings().pairs(all));
    }

    /** Of the last index, as an operator asks about it. */
    NeardupConfig config() {
        return config(isCutOver ? SUCCESSOR : INDEX);
    }

    /** Of the last index. */
    long hashSeed() {
        try (ClusterView view = new ClusterView(config())) {
            return view.requireIndex().hashSeed();
        }
    }

    int size() {
        return instances.size();
    }

    InstanceProcess instance(int place) {
        return instances.get(place).process;
    }

    Link link(int place) {
        return cluster.link(instances.get(place).number);
    }

    /** Whether it may end by itself, as its index hands its input over. */
    boolean mayEnd(int place) {
        return isCutOver && instances.get(place).application.equals(INDEX);
    }

    void add() throws IOException {
        instances.add(new Instance(named++, INDEX));
    }

    /** Kills one for good. */
    void remove(int place) throws InterruptedException {
        instances.remove(place).process.killHard();
    }

    /** Starts the one of this place again, which has ended. */
    void restart(int place) throws IOException {
        Instance instance = instances.get(place);
        instance.process = instance.start();
    }

    /** Waits until every instance reads some of the input. */
    void awaitShared() {
        await("all share the input")
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(ExecutionException.class)
                .until(() -> processesWithInput() >= size());
    }

    private long processesWithInput() throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers()))) {
            return admin.describeConsumerGroups(List.of(INDEX)).all().get().values().stream()
                    .flatMap(group -> group.members().stream())
                    .filter(member -> member.assignment().topicPartitions().stream()
                            .anyMatch(partition -> mix.topics().contains(partition.topic())))
                    .map(Service::processOf)
                    .distinct()
                    .count();
        }
    }

    /** Client ids are {@code application-process-StreamThread-N-consumer}. */
    private static String processOf(MemberDescription member) {
        return member.clientId().replaceAll("-StreamThread-.*", "");
    }

    // ---- a cutover

    /** Starts an instance of the successor. */
    void follow() throws IOException {
        instances.add(new Instance(named++, SUCCESSOR));
    }

    /** As the command does it. */
    void cutOver() {
        isCutOver = true;
        try (ClusterView view = view(INDEX)) {
            new CutoverRequest(INDEX, view).ask(SUCCESSOR);
        }
    }

    /** Waits for the end of the first instance. Where it was empty before it was killed, it is refused to start. */
    void awaitHandedOver() throws InterruptedException, IOException {
        int exitCode = instance(0).awaitEnd(PATIENCE);
        assertThat(exitCode == 0 || instance(0).log().contains("expected an index with an input"))
                .as(instance(0).log())
                .isTrue();
        try (ClusterView view = view(INDEX)) {
            assertThat(view.cutover().stage()).isEqualTo(CutoverStage.EMPTY);
        }
    }

    /** Waits until the successor has taken some of each input partition. */
    Cutover awaitTakenOver() {
        Map<TopicPartition, Long> positions = new HashMap<>();
        try (ClusterView view = view(INDEX)) {
            for (String topic : mix.topics()) {
                for (int p = 0; p < mix.grown(); p++) {
                    Map<String, Long> ofPartition = view.cutover().positions().getOrDefault(p, Map.of());
                    positions.put(new TopicPartition(topic, p), Math.max(0, ofPartition.getOrDefault(topic, 0L)));
                }
            }
        }
        await("what the successor takes").atMost(PATIENCE).until(() -> {
            try (ClusterView view = view(SUCCESSOR)) {
                Map<TopicPartition, Long> taken =
                        view.admin().committed(view.config().applicationId());
                return positions.entrySet().stream()
                        .allMatch(start -> taken.getOrDefault(start.getKey(), 0L) > start.getValue() + TAKEN_MIN);
            }
        });
        return new Cutover(positions, mix.grows());
    }

    // ---- logs

    /** What all instances logged, those that are gone too. */
    String logs() throws IOException {
        StringBuilder logs = new StringBuilder();
        for (int i = 0; i < named; i++) {
            logs.append(Files.readString(ownFolder(i).resolve("instance.log")));
        }
        return logs.toString();
    }

    /** What they logged at WARN or above: the level, the logger and the message. */
    List<String> warnings() throws IOException {
        return WARNING.matcher(logs()).results().map(line -> line.group(1)).toList();
    }

    private Path ownFolder(int number) {
        return folder.resolve("instance-" + number);
    }

    @Override
    public void close() {
        instances.forEach(instance -> instance.process.close());
    }
}
