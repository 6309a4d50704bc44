package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.figure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.databind.JsonNode;
import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.GroupStatus;
import io.neardup.service.cluster.SettingsReader;
import io.neardup.service.cluster.TopicWatch;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.Cutover.CutoverStage;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.store.UnreleasedInput;
import io.neardup.streams.store.UnreleasedInput.Unreleased;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;

@Command(
        name = "status",
        description = {
            "Tells how a service stands, running or not.",
            "It goes by what the cluster knows: members, lag of each input partition, what has not"
                    + " left, and what the index was made with. With --url it asks an instance instead: its"
                    + " state and figures, and members and lag of the whole group."
        },
        footer = {
            "Examples, with the settings that the service runs with; and over HTTP, without:",
            "  java -jar neardup.jar status --config config/neardup.properties \\",
            "      --bootstrap-server localhost:9092",
            "  java -jar neardup.jar status --url " + ServiceClient.DEFAULT_URL,
            "",
            "It changes nothing. Exit code 0 whether the service runs or not; with --url 1",
            "where none answers."
        })
final class StatusCommand extends ClusterCommand {
    @Mixin
    private ServiceClient.Options service = new ServiceClient.Options();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (!parsed().hasMatchedOption("--url")) {
            requireBeside("--token-file", "--url");
            NeardupConfig config = clusterConfig(options);
            try (ClusterView cluster = new ClusterView(config)) {
                ClusterStatus status = ClusterStatus.of(cluster);
                print(status::text, () -> status);
            }
            return ExitCode.OK;
        }
        refuseOthers("--url", Set.of("--url", "--token-file", "--json"), "an instance tells of itself");
        ServiceClient client = service.client(this);
        JsonNode told = client.status();
        print(() -> new TextTable().row("url", client.url()).fields(told), () -> told);
        return ExitCode.OK;
    }

    /**
     * How a service stands, as the cluster sees it, whether it runs or not; as JSON what {@code status --json} prints.
     *
     * @param groupState as Kafka calls it; {@code none} where there is no group
     * @param instances those whose threads are members now; the cluster does not know of others
     * @param members by client id: one a stream thread
     * @param problems what keeps the service from its work, a sentence each
     */
    private record ClusterStatus(
            String applicationId,
            String groupState,
            int instances,
            List<Member> members,
            List<InputStatus> inputs,
            List<String> problems,
            @JsonInclude(Include.NON_NULL) @Nullable Made index) {
        private static final String NEVER_STARTED =
                "create it, or start with --create-topics; or give the settings that the"
                        + " service runs with (--config, --set)";

        private static final Comparator<TopicPartition> BY_NAME =
                Comparator.comparing(TopicPartition::topic).thenComparingInt(TopicPartition::partition);

        private record Member(String clientId, String host, List<String> partitions) {}

        /**
         * @param end after the last record that is committed
         * @param read up to where it was read; null where it never was
         * @param lag offsets that are not read yet; of a partition that never was, all up to its end
         * @param heldMax at most so many records were read and have not left; gaps of the topic count too
         */
        private record InputStatus(
                String topic,
                int partition,
                long end,
                @JsonInclude(Include.NON_NULL) @Nullable Long read,
                long lag,
                long heldMax) {}

        private record Made(String id, String release, SortedMap<String, String> settings) {}

        static ClusterStatus of(ClusterView cluster) {
            NeardupConfig config = cluster.config();
            Optional<ConsumerGroupDescription> group = cluster.admin().group(config.applicationId());
            TopicNames names = new TopicNames(config.applicationId());
            List<Member> members = group.map(ConsumerGroupDescription::members).stream()
                    .flatMap(Collection::stream)
                    .map(ClusterStatus::member)
                    .sorted(Comparator.comparing(Member::clientId))
                    .toList();
            return new ClusterStatus(
                    config.applicationId(),
                    group.map(described -> described.groupState().toString()).orElse("none"),
                    (int) members.stream()
                            .map(member -> GroupStatus.instance(member.clientId))
                            .distinct()
                            .count(),
                    members,
                    inputs(cluster, names),
                    problems(cluster, names, members),
                    cluster.index()
                            .map(found -> new Made(
                                    found.id(),
                                    found.release(),
                                    new TreeMap<>(found.settings().entries())))
                            .orElse(null));
        }

        private static List<String> problems(ClusterView cluster, TopicNames names, List<Member> members) {
            NeardupConfig config = cluster.config();
            List<String> index = new ArrayList<>(names.changelogs(config));
            index.add(names.settings());
            List<String> needed = new ArrayList<>(config.inputTopics());
            needed.addAll(config.outputTopics());
            // Each of these alone may be what is gone.
            boolean isMade = !cluster.admin().findNow(index).isEmpty();
            if (isMade) {
                needed.addAll(names.inFlight(config));
                needed.remove(names.seeds());
                needed.addAll(index);
            }
            Set<String> found = cluster.admin().findNow(needed).keySet();
            Optional<Integer> coordinators =
                    cluster.index().map(made -> made.settings().inputPartitions());
            List<String> problems = new ArrayList<>();
            needed.stream()
                    .filter(topic -> !found.contains(topic))
                    .forEach(topic ->
                            problems.add("topic " + topic + ": expected one that the service needs, found none; "
                                    + (isMade ? TopicWatch.LOST : NEVER_STARTED)));
            problems.addAll(TopicWatch.grown(
                    config.inputTopics(),
                    coordinators.orElse(Integer.MAX_VALUE),
                    cluster.admin().findNow(config.inputTopics())));
            if (isMade) {
                SettingsReader settingsReader = cluster.settingsReader(config.applicationId());
                following(cluster, settingsReader).ifPresent(problems::add);
                problems.addAll(running(settingsReader.cutover(), members.isEmpty()));
            } else {
                problems.add("application.id " + config.applicationId() + ": expected an index, found none on this"
                        + " cluster: the service was never started, or has another application.id (--group)");
            }
            return problems;
        }

        private static Optional<String> following(ClusterView cluster, SettingsReader settingsReader) {
            return settingsReader
                    .predecessor()
                    .filter(before -> !settingsReader.hasTakenOver())
                    .map(before -> {
                        String id = "application.id " + before.applicationId();
                        if (cluster.admin().findNow(List.of(before.topic())).isEmpty()) {
                            return "it follows " + id + ", whose topic " + before.topic() + " is gone";
                        }
                        return "it follows " + id + " until that has handed its input over, with "
                                + cluster.lag(before.partitions()) + " records of that left to read";
                    });
        }

        private static List<String> running(Cutover cutover, boolean isStopped) {
            List<String> problems = new ArrayList<>();
            cutover.successor()
                    .ifPresent(successor -> problems.add("it hands its input over to application.id " + successor
                            + ", for good: index cutover --status tells how far it is"));
            if (isStopped && cutover.stage() != CutoverStage.EMPTY) {
                problems.add("no instance runs: the end of each one's log says why");
            }
            return problems;
        }

        private static Member member(MemberDescription described) {
            return new Member(
                    described.clientId(),
                    described.host(),
                    described.assignment().topicPartitions().stream()
                            .sorted(BY_NAME)
                            .map(TopicPartition::toString)
                            .toList());
        }

        private static List<InputStatus> inputs(ClusterView cluster, TopicNames names) {
            NeardupConfig config = cluster.config();
            List<TopicPartition> partitions = new ArrayList<>();
            cluster.admin()
                    .findNow(config.inputTopics())
                    .forEach((topic, found) -> partitions.addAll(ClusterAdmin.partitions(topic, found.partitions())));
            // Before the positions, which go on meanwhile.
            Map<TopicPartition, Long> held = held(cluster, names);
            Map<TopicPartition, Long> positions = cluster.admin().committed(config.applicationId());
            Map<TopicPartition, Long> ends = cluster.admin().committedEnds(partitions);
            Map<TopicPartition, Long> lags = cluster.admin().lag(ends, positions);
            return partitions.stream()
                    .sorted(BY_NAME)
                    .map(partition -> {
                        long end = Objects.requireNonNull(ends.get(partition));
                        Long read = positions.get(partition);
                        long lag = Objects.requireNonNull(lags.get(partition));
                        long heldMax = held.getOrDefault(partition, 0L);
                        return new InputStatus(partition.topic(), partition.partition(), end, read, lag, heldMax);
                    })
                    .toList();
        }

        /** By what the coordinators have noted of their progress. */
        private static Map<TopicPartition, Long> held(ClusterView cluster, TopicNames names) {
            UnreleasedInput input = new UnreleasedInput();
            cluster.readCommitted(
                    names.progressChangelog(), record -> input.apply(record.partition(), record.key(), record.value()));
            Map<TopicPartition, Long> held = new HashMap<>();
            for (Unreleased one : input.unreleased()) {
                held.merge(new TopicPartition(one.topic(), one.partition()), one.recordsMax(), Math::max);
            }
            return held;
        }

        TextTable text() {
            TextTable text = new TextTable().fields(Json.of(this).without(List.of("inputs")));
            text.blank().row("input", "end", "read", "lag", "in flight");
            inputs.forEach(input -> text.row(
                    input.topic + "-" + input.partition,
                    input.end,
                    input.read == null ? figure("%s", "never") : input.read,
                    input.lag,
                    input.heldMax));
            return text;
        }
    }
}
