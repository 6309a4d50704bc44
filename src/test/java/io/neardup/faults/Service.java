package io.neardup.faults;

import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.testing.BrokerCluster;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;

/** The service as a group of instances, each a process of its own, on brokers of their own. */
final class Service implements AutoCloseable {
    static final String DOCUMENTS = "documents";
    static final int PARTITIONS = 4;
    static final String APPLICATION = "faults";

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern WARNING = Pattern.compile("[0-9:.]{12} ((?:WARN|ERROR) .*)");

    private final BrokerCluster cluster;
    private final Path folder;
    private final List<String> jvmOptions;
    private final List<String> settings = new ArrayList<>();
    private final List<Instance> instances = new ArrayList<>();
    private int named;

    /** A place for processes, one after the other: they share its folder. */
    private static final class Instance {
        private final Path folder;
        private InstanceProcess process;

        Instance(Path folder, InstanceProcess process) {
            this.folder = folder;
            this.process = process;
        }
    }

    /**
     * Makes the topics; no instance is started.
     *
     * @param settings more than those that every instance needs
     */
    Service(BrokerCluster cluster, Path folder, List<String> settings) throws ExecutionException, InterruptedException {
        this(cluster, folder, List.of(), settings);
    }

    /** With more options of the JVMs. */
    Service(BrokerCluster cluster, Path folder, List<String> jvmOptions, List<String> settings)
            throws ExecutionException, InterruptedException {
        this.cluster = cluster;
        this.folder = folder;
        this.jvmOptions = jvmOptions;
        this.settings.add("bootstrap.servers=" + cluster.bootstrapServers());
        this.settings.add("application.id=" + APPLICATION);
        this.settings.addAll(settings);
        Records.createTopics(cluster.bootstrapServers(), Outputs.WITH_INPUT, PARTITIONS);
    }

    BrokerCluster cluster() {
        return cluster;
    }

    String servers() {
        return cluster.bootstrapServers();
    }

    /** As an operator asks about it. */
    NeardupConfig config() {
        return NeardupConfig.forCluster(new Settings().pairs(settings));
    }

    int size() {
        return instances.size();
    }

    InstanceProcess instance(int place) {
        return instances.get(place).process;
    }

    void add() throws IOException {
        Path ownFolder = ownFolder(named++);
        instances.add(new Instance(ownFolder, InstanceProcess.start(ownFolder, jvmOptions, settings)));
    }

    /** Kills one for good. */
    void remove(int place) throws InterruptedException {
        instances.remove(place).process.killHard();
    }

    /** Starts the one of this place again, which has ended. */
    void restart(int place) throws IOException {
        Instance instance = instances.get(place);
        instance.process = InstanceProcess.start(instance.folder, jvmOptions, settings);
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
            return admin.describeConsumerGroups(List.of(APPLICATION)).all().get().values().stream()
                    .flatMap(group -> group.members().stream())
                    .filter(member -> member.assignment().topicPartitions().stream()
                            .anyMatch(partition -> partition.topic().equals(DOCUMENTS)))
                    .map(Service::processOf)
                    .distinct()
                    .count();
        }
    }

    /** Client ids are {@code application-process-StreamThread-N-consumer}. */
    private static String processOf(MemberDescription member) {
        return member.clientId().replaceAll("-StreamThread-.*", "");
    }

    /** What instances logged at WARN or above, those that are gone too: the level, the logger and the message. */
    List<String> warnings() throws IOException {
        List<String> warnings = new ArrayList<>();
        for (int i = 0; i < named; i++) {
            Files.readString(ownFolder(i).resolve("instance.log"))
                    .lines()
                    .map(WARNING::matcher)
                    .filter(Matcher::matches)
                    .forEach(line -> warnings.add(line.group(1)));
        }
        return warnings;
    }

    private Path ownFolder(int name) {
        return folder.resolve("instance-" + name);
    }

    @Override
    public void close() {
        instances.forEach(instance -> instance.process.close());
    }
}
