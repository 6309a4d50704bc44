package io.neardup.service.cluster;

import io.neardup.config.NeardupConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.CreateTopicsOptions;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

/**
 * What the service and its commands ask of the cluster about topics and groups, with answers in bounded time. Who is
 * interrupted meanwhile gets an {@link InterruptException}, as of Kafka's own clients.
 */
public final class ClusterAdmin implements AutoCloseable {
    /** A service that starts may come before its brokers. */
    private static final long ANSWER_SECONDS = 30;

    /** With as many, min.insync.replicas can be 2: the loss of one broker loses no record and stops nothing. */
    public static final int REPLICAS_ENOUGH = 3;

    private static final int IN_SYNC_MIN = 2;
    private static final Duration NEW_TOPIC = Duration.ofSeconds(3);
    /** A broker whose disk stalls learns of a topic seconds after the controller has made it. */
    private static final Duration CREATED_TOPIC = Duration.ofSeconds(30);

    private static final long DECIDED_NANOS = TimeUnit.MINUTES.toNanos(1);

    /** The others share out again what an instance has left. */
    private static final Duration SETTLING = Duration.ofSeconds(4);

    private final Admin admin;
    private final String cluster;
    private final long answerSeconds;
    /** Warnings of a read-only client; empty where it may change things. */
    private final Optional<List<String>> collectedWarnings;

    /**
     * A topic that exists.
     *
     * @param id of this topic alone: one that is made again under the same name has another
     */
    public record FoundTopic(int partitions, String id) {}

    /**
     * Waits for each answer for half a minute.
     *
     * @param cluster the bootstrap servers, for messages
     */
    public ClusterAdmin(Admin admin, String cluster) {
        this(admin, cluster, ANSWER_SECONDS, Optional.empty());
    }

    private ClusterAdmin(Admin admin, String cluster, long answerSeconds, Optional<List<String>> collectedWarnings) {
        this.admin = admin;
        this.cluster = cluster;
        this.answerSeconds = answerSeconds;
        this.collectedWarnings = collectedWarnings;
    }

    /** Opens a client, which is to be closed. */
    public static ClusterAdmin open(NeardupConfig config) {
        String cluster = config.bootstrapServers().orElse("(none)");
        try {
            return new ClusterAdmin(Admin.create(StreamsSettings.clients(config)), cluster);
        } catch (KafkaException e) {
            throw noClient(e, cluster);
        }
    }

    public ClusterAdmin within(long seconds) {
        return new ClusterAdmin(admin, cluster, seconds, collectedWarnings);
    }

    /** The same client, which makes and changes nothing. Of a warning it logs none, see {@link #warnings}. */
    public ClusterAdmin readOnly() {
        return new ClusterAdmin(admin, cluster, answerSeconds, Optional.of(new ArrayList<>()));
    }

    public boolean isReadOnly() {
        return collectedWarnings.isPresent();
    }

    /** Warns of what is found at the start; in words of that class' logger. */
    public void warn(Logger log, String format, Object... values) {
        collectedWarnings.ifPresentOrElse(
                warnings -> warnings.add(
                        MessageFormatter.arrayFormat(format, values).getMessage()),
                () -> log.warn(format, values));
    }

    /** What was warned of since the last call, and not logged. */
    public List<String> warnings() {
        List<String> taken = collectedWarnings.map(List::copyOf).orElse(List.of());
        collectedWarnings.ifPresent(List::clear);
        return taken;
    }

    long answerSeconds() {
        return answerSeconds;
    }

    /** For what one class alone asks. */
    Admin client() {
        return admin;
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }

    /** What a parser of sasl.jaas.config says may quote a password; the log would have it from the cause. */
    static StartupException noClient(KafkaException failure, String cluster) {
        String said = "";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (message.contains("JAAS")) {
                return new StartupException("sasl.jaas.config: expected a login module, required, its options as"
                        + " key=\"value\", and a semicolon at the end; found another form, which is not"
                        + " shown");
            }
            said = cause instanceof KafkaException ? message : said;
        }
        return new StartupException(
                "bootstrap.servers " + cluster + ": expected host:port,host:port of a cluster and keys for its clients,"
                        + " found: " + said
                        + "; check them, and the keys that begin with sasl. and ssl.",
                failure);
    }

    /** How many brokers there are; to ask takes no right. */
    public int brokers() {
        return answer(admin.describeCluster().nodes()).size();
    }

    /**
     * The topics that exist, by name. One that is missing is looked for again for a while: it may
     * have been created just now, and not every broker knows at once.
     */
    public Map<String, FoundTopic> find(Collection<String> topics) {
        return await(() -> findNow(topics), found -> found.size() >= topics.size(), NEW_TOPIC);
    }

    /** The same of topics that were found or created a moment ago: a broker may learn of them late. */
    public Map<String, FoundTopic> findCreated(Collection<String> topics) {
        return isReadOnly()
                ? findNow(topics)
                : await(() -> findNow(topics), found -> found.size() >= topics.size(), CREATED_TOPIC);
    }

    public static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(100);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** The topics that exist by what one broker knows at this moment. */
    public Map<String, FoundTopic> findNow(Collection<String> topics) {
        Map<String, FoundTopic> found = new HashMap<>();
        descriptions(topics).forEach((topic, described) -> {
            int partitions = described.partitions().size();
            found.put(topic, new FoundTopic(partitions, described.topicId().toString()));
        });
        return found;
    }

    public static List<TopicPartition> partitions(String topic, int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> new TopicPartition(topic, number))
                .toList();
    }

    /** The offset behind the last record of each partition, of transactions that have not ended too. */
    public Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions) {
        return offsets(partitions, OffsetSpec.latest(), IsolationLevel.READ_UNCOMMITTED);
    }

    /** The offset up to which each partition can be read by those who read what is committed alone. */
    public Map<TopicPartition, Long> committedEnds(Collection<TopicPartition> partitions) {
        return offsets(partitions, OffsetSpec.latest(), IsolationLevel.READ_COMMITTED);
    }

    /**
     * As {@link #ends}, as soon as all transactions that are in there have ended.
     *
     * @throws StartupException if one has not within a minute
     */
    public Map<TopicPartition, Long> decidedEnds(Collection<TopicPartition> partitions) {
        Map<TopicPartition, Long> ends = ends(partitions);
        long deadlineNanos = System.nanoTime() + DECIDED_NANOS;
        Map<TopicPartition, Long> open = new HashMap<>(ends);
        while (true) {
            Map<TopicPartition, Long> committed = committedEnds(open.keySet());
            open.entrySet().removeIf(end -> committed.getOrDefault(end.getKey(), 0L) >= end.getValue());
            if (open.isEmpty()) {
                return ends;
            }
            if (System.nanoTime() > deadlineNanos) {
                throw new StartupException("partitions " + open.keySet()
                        + ": expected all transactions in them to end within a minute, found one that is open; who"
                        + " reads what is committed gets no further either: see kafka-transactions.sh find-hanging");
            }
            pause();
        }
    }

    public Map<TopicPartition, Long> beginnings(Collection<TopicPartition> partitions) {
        return offsets(partitions, OffsetSpec.earliest(), IsolationLevel.READ_UNCOMMITTED);
    }

    /** Those of the topics that hold records, by all of their partitions. */
    public Set<String> withRecords(Map<String, FoundTopic> topics) {
        List<TopicPartition> partitions = new ArrayList<>();
        topics.forEach((topic, found) -> partitions.addAll(partitions(topic, found.partitions)));
        Map<TopicPartition, Long> beginnings = beginnings(partitions);
        return ends(partitions).entrySet().stream()
                .filter(end -> end.getValue() > beginnings.getOrDefault(end.getKey(), end.getValue()))
                .map(end -> end.getKey().topic())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Of the first record with this timestamp or a later one; that of the end where there is none.
     *
     * @param sinceMillis empty for the beginnings
     */
    public Map<TopicPartition, Long> starts(OptionalLong sinceMillis, Collection<TopicPartition> partitions) {
        if (sinceMillis.isEmpty()) {
            return beginnings(partitions);
        }
        OffsetSpec since = OffsetSpec.forTimestamp(sinceMillis.getAsLong());
        Map<TopicPartition, Long> found = offsets(partitions, since, IsolationLevel.READ_UNCOMMITTED);
        Map<TopicPartition, Long> ends = ends(partitions);
        found.replaceAll((partition, offset) ->
                offset < 0 ? Objects.requireNonNull(ends.get(partition), partition.toString()) : offset);
        return found;
    }

    private Map<TopicPartition, Long> offsets(
            Collection<TopicPartition> partitions, OffsetSpec which, IsolationLevel level) {
        Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
        partitions.forEach(partition -> asked.put(partition, which));
        Map<TopicPartition, Long> offsets = new HashMap<>();
        answer(admin.listOffsets(asked, new ListOffsetsOptions(level)).all())
                .forEach((partition, found) -> offsets.put(partition, found.offset()));
        return offsets;
    }

    /** All settings of a topic that exists, defaults included. */
    public Config settings(String topic) {
        return Objects.requireNonNull(settings(List.of(topic)).get(topic), topic);
    }

    public Map<String, Config> settings(Collection<String> topics) {
        Map<String, Config> settings = new HashMap<>();
        List<ConfigResource> resources =
                topics.stream().map(ClusterAdmin::resource).toList();
        admin.describeConfigs(resources).values().forEach((resource, described) -> {
            String topic = resource.name();
            settings.put(topic, answer(described, "topic " + topic, AclOperation.DESCRIBE_CONFIGS));
        });
        return settings;
    }

    /**
     * How a topic is copied.
     *
     * @param replicas of its first partition
     * @param inSync of the partition with the fewest; 0 where one has no leader
     * @param inSyncMin how many must be for a write
     */
    public record Copies(String topic, int replicas, int inSync, int inSyncMin) {
        /** Whether one of many replicas is enough to acknowledge a write, which is lost with that one. */
        public boolean acksByOneReplica() {
            return replicas >= REPLICAS_ENOUGH && inSyncMin < IN_SYNC_MIN;
        }
    }

    /** Of those of the topics that exist, sorted. */
    public List<Copies> copies(Collection<String> topics) {
        Map<String, TopicDescription> found = descriptions(topics);
        Map<String, Config> settings = settings(found.keySet());
        return found.values().stream()
                .map(topic -> new Copies(
                        topic.name(),
                        topic.partitions().get(0).replicas().size(),
                        topic.partitions().stream()
                                .mapToInt(partition -> partition.leader() == null
                                        ? 0
                                        : partition.isr().size())
                                .min()
                                .orElse(0),
                        inSyncMin(Objects.requireNonNull(settings.get(topic.name()), topic.name()))))
                .sorted(Comparator.comparing(Copies::topic))
                .toList();
    }

    private Map<String, TopicDescription> descriptions(Collection<String> topics) {
        Map<String, TopicDescription> found = new HashMap<>();
        admin.describeTopics(topics).topicNameValues().forEach((topic, described) -> {
            try {
                found.put(topic, answer(described, "topic " + topic, AclOperation.DESCRIBE));
            } catch (UnknownTopicOrPartitionException e) {
                // Skipped: it does not exist.
            }
        });
        return found;
    }

    private static int inSyncMin(Config settings) {
        return (int) Topics.number(settings, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG);
    }

    /**
     * Creates a topic, unless another instance has just done so. Where it has three replicas or more, two of them must
     * have a write before it is done: by the brokers' default one may, and what it has is lost with it.
     */
    public void create(NewTopic topic) {
        if (isReadOnly()) {
            return;
        }
        try {
            answer(admin.createTopics(List.of(withTwoInSync(topic))).all());
        } catch (TopicExistsException e) {
            // Another instance was faster; what it made is checked like any other.
        }
    }

    /** What the brokers would make, which they do not. */
    private CreateTopicsResult asked(NewTopic topic) {
        return admin.createTopics(List.of(topic), new CreateTopicsOptions().validateOnly(true));
    }

    /** Where the brokers would give it three replicas; who may not see that keeps the default. */
    private NewTopic withTwoInSync(NewTopic topic) {
        CreateTopicsResult asked = asked(topic);
        try {
            if (answer(asked.replicationFactor(topic.name())) < REPLICAS_ENOUGH
                    || inSyncMin(answer(asked.config(topic.name()))) >= IN_SYNC_MIN) {
                return topic;
            }
        } catch (StartupException e) {
            if (isDenied(e)) {
                return topic;
            }
            throw e;
        }
        Map<String, String> settings = new HashMap<>(Objects.requireNonNullElse(topic.configs(), Map.of()));
        settings.put(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG, String.valueOf(IN_SYNC_MIN));
        return topic.configs(settings);
    }

    public void delete(String topic) {
        answer(admin.deleteTopics(List.of(topic)).all(), "topic " + topic, AclOperation.DELETE);
    }

    /** Shuts out who sends in transactions of these ids, and ends those that are open. */
    public void shutOut(Collection<String> transactionalIds) {
        answer(
                admin.fenceProducers(transactionalIds).all(),
                "transactional ids " + transactionalIds,
                AclOperation.WRITE);
    }

    public void change(String topic, Map<String, String> settings) {
        if (isReadOnly()) {
            return;
        }
        List<AlterConfigOp> changes = settings.entrySet().stream()
                .map(entry ->
                        new AlterConfigOp(new ConfigEntry(entry.getKey(), entry.getValue()), AlterConfigOp.OpType.SET))
                .toList();
        answer(admin.incrementalAlterConfigs(Map.of(resource(topic), changes)).all());
    }

    private static ConfigResource resource(String topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }

    // ---- groups

    /** Empty where nobody has ever joined, or the cluster has forgotten it. */
    public Optional<ConsumerGroupDescription> group(String group) {
        return ofGroup(group, described(group, new DescribeConsumerGroupsOptions()), AclOperation.DESCRIBE);
    }

    private KafkaFuture<ConsumerGroupDescription> described(String group, DescribeConsumerGroupsOptions options) {
        return Objects.requireNonNull(
                admin.describeConsumerGroups(List.of(group), options)
                        .describedGroups()
                        .get(group),
                group);
    }

    /** How many members it has, one a stream thread. */
    public int members(String group) {
        return group(group).map(found -> found.members().size()).orElse(0);
    }

    /** The topics that its members read, all together. */
    public static Set<String> assignedTopics(ConsumerGroupDescription group) {
        return group.members().stream()
                .flatMap(member -> member.assignment().topicPartitions().stream())
                .map(TopicPartition::topic)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * What the members of the service's group read, when that is as awaited, or at last: an instance that was killed
     * counts as one that runs until its session is over. Empty while they share it out.
     */
    public Optional<Set<String>> assignedTopics(NeardupConfig config, Predicate<Set<String>> awaited) {
        Duration patience = StreamsSettings.session(config).plus(SETTLING);
        return await(
                () -> assignedTopicsNow(config.applicationId()),
                now -> now.filter(awaited).isPresent(),
                patience);
    }

    private Optional<Set<String>> assignedTopicsNow(String group) {
        Optional<ConsumerGroupDescription> found = group(group);
        boolean isShared = found.map(ConsumerGroupDescription::groupState)
                .filter(state -> state == GroupState.PREPARING_REBALANCE || state == GroupState.COMPLETING_REBALANCE)
                .isPresent();
        return isShared
                ? Optional.empty()
                : Optional.of(found.map(ClusterAdmin::assignedTopics).orElse(Set.of()));
    }

    /** What is found when it is as awaited, or at last. */
    public static <T> T await(Supplier<T> look, Predicate<T> awaited, Duration patience) {
        long sinceNanos = System.nanoTime();
        T found = look.get();
        while (!awaited.test(found) && System.nanoTime() - sinceNanos < patience.toNanos()) {
            pause();
            found = look.get();
        }
        return found;
    }

    public Map<TopicPartition, Long> committed(String group) {
        Map<TopicPartition, Long> positions = new HashMap<>();
        ofGroup(group, admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(), AclOperation.DESCRIBE)
                .orElse(Map.of())
                .forEach((partition, committed) -> {
                    if (committed != null) {
                        positions.put(partition, committed.offset());
                    }
                });
        return positions;
    }

    /** Deletes from these topics, which are the service's own, what its group has committed. */
    public void deleteRead(String group, Collection<String> topics) {
        Map<TopicPartition, RecordsToDelete> read = new HashMap<>();
        committed(group).forEach((partition, offset) -> read.put(partition, RecordsToDelete.beforeOffset(offset)));
        read.keySet().removeIf(partition -> !topics.contains(partition.topic()));
        if (!read.isEmpty()) {
            answer(admin.deleteRecords(read).all(), "topics that begin with " + group + "-", AclOperation.DELETE);
        }
    }

    /** How many records before these ends a group has not read, by partition; what has expired is none of them. */
    public Map<TopicPartition, Long> lag(String group, Map<TopicPartition, Long> ends) {
        return lag(ends, committed(group));
    }

    /** The same, by the positions that are known of the group. */
    public Map<TopicPartition, Long> lag(Map<TopicPartition, Long> ends, Map<TopicPartition, Long> positions) {
        return lag(ends, beginnings(ends.keySet()), positions);
    }

    static Map<TopicPartition, Long> lag(
            Map<TopicPartition, Long> ends, Map<TopicPartition, Long> beginnings, Map<TopicPartition, Long> positions) {
        Map<TopicPartition, Long> lag = new HashMap<>();
        ends.forEach((partition, end) -> {
            long beginning = beginnings.getOrDefault(partition, 0L);
            long position = positions.getOrDefault(partition, beginning);
            lag.put(partition, Math.max(0, end - Math.max(beginning, position)));
        });
        return lag;
    }

    /** Deletes it; one that is gone already is as good. */
    public void deleteGroup(String group) {
        Optional<Void> unused =
                ofGroup(group, admin.deleteConsumerGroups(List.of(group)).all(), AclOperation.DELETE);
    }

    private <T> Optional<T> ofGroup(String group, KafkaFuture<T> asked, AclOperation operation) {
        try {
            return Optional.ofNullable(answer(asked, "group " + group, operation));
        } catch (StartupException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return Optional.empty();
            }
            throw e;
        }
    }

    // ---- what this user may do

    /** What may be done with each topic: nothing where it may not even be looked at; no entry where there is none. */
    Map<String, Set<AclOperation>> rights(Collection<String> topics) {
        Map<String, Set<AclOperation>> rights = new HashMap<>();
        DescribeTopicsOptions withRights = new DescribeTopicsOptions().includeAuthorizedOperations(true);
        admin.describeTopics(topics, withRights).topicNameValues().forEach((topic, described) -> {
            try {
                rights.put(topic, operations(answer(described).authorizedOperations()));
            } catch (UnknownTopicOrPartitionException e) {
                // Skipped: it does not exist.
            } catch (StartupException e) {
                if (!isDenied(e)) {
                    throw e;
                }
                rights.put(topic, Set.of());
            }
        });
        return rights;
    }

    /** A cluster that does not say is taken to allow everything. */
    private static Set<AclOperation> operations(@Nullable Set<AclOperation> known) {
        return known == null ? EnumSet.allOf(AclOperation.class) : known;
    }

    /** Whether it may be made. What else is wrong with a request shows when it is made in earnest. */
    boolean mayCreate(String topic) {
        try {
            answer(asked(new NewTopic(topic, Optional.empty(), Optional.empty()))
                    .all());
            return true;
        } catch (TopicExistsException e) {
            return true;
        } catch (StartupException e) {
            return !isDenied(e);
        }
    }

    /**
     * Whether the group may be joined. Of one that does not exist yet the cluster informs only those who may not even
     * look at it; the rest shows when it is joined.
     */
    boolean mayReadGroup(String group) {
        DescribeConsumerGroupsOptions withRights =
                new DescribeConsumerGroupsOptions().includeAuthorizedOperations(true);
        try {
            return operations(answer(described(group, withRights)).authorizedOperations())
                    .contains(AclOperation.READ);
        } catch (StartupException e) {
            return !isDenied(e);
        }
    }

    static boolean isDenied(StartupException e) {
        return Stream.iterate((Throwable) e, Objects::nonNull, Throwable::getCause)
                .anyMatch(AuthorizationException.class::isInstance);
    }

    // ---- answers

    /**
     * Waits for the answer. An unknown or existing topic is thrown as Kafka's exception, any other failure as a
     * {@link StartupException}.
     */
    <T> T answer(KafkaFuture<T> future) {
        try {
            return future.get(answerSeconds, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException
                    || e.getCause() instanceof TopicExistsException) {
                throw (RuntimeException) e.getCause();
            }
            throw failed(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            throw failed(e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    /** As {@link #answer(KafkaFuture)}; names resource and operation where this user lacks the right. */
    private <T> T answer(KafkaFuture<T> future, String resource, AclOperation operation) {
        try {
            return answer(future);
        } catch (StartupException e) {
            throw isDenied(e) ? StartupException.denied(resource, operation, e) : e;
        }
    }

    private StartupException failed(Throwable cause) {
        String kind = cause.getClass().getSimpleName();
        String found = cause.getMessage() == null ? kind : kind + ": " + cause.getMessage();
        boolean isRefusal = cause instanceof ApiException
                && !(cause instanceof RetriableException
                        || cause instanceof AuthenticationException
                        || cause instanceof AuthorizationException);
        if (isRefusal) {
            return new StartupException(
                    "bootstrap.servers " + cluster + ": expected the cluster to do what it was asked, found that it"
                            + " refused: " + found + "; set right what it names; the logs of the brokers may say more",
                    cause);
        }
        return new StartupException(
                "bootstrap.servers " + cluster + ": expected an answer from the cluster within " + answerSeconds
                        + " s, found " + found
                        + "; check the address, security.protocol and the keys that begin with sasl. and ssl., what"
                        + " this user may do, and by the end of their logs whether the brokers are well",
                cause);
    }
}
