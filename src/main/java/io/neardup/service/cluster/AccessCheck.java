package io.neardup.service.cluster;

import static org.apache.kafka.common.acl.AclOperation.ALTER_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;
import static org.apache.kafka.common.resource.ResourceType.GROUP;
import static org.apache.kafka.common.resource.ResourceType.TOPIC;
import static org.apache.kafka.common.resource.ResourceType.TRANSACTIONAL_ID;

import io.neardup.config.NeardupConfig;
import io.neardup.streams.store.TopicNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;

/**
 * Whether this user may do all that the service does with topics, with its group and in transactions. Kafka Streams
 * would fail in the midst of it, and a purge that is denied would fill the disks of the brokers. Everything that is
 * missing is reported at once.
 */
public final class AccessCheck {
    private static final Set<AclOperation> OF_INPUT = EnumSet.of(READ);
    private static final Set<AclOperation> OF_INPUT_AND_SIZE = EnumSet.of(READ, DESCRIBE_CONFIGS);
    private static final Set<AclOperation> OF_OUTPUT = EnumSet.of(WRITE, DESCRIBE_CONFIGS);
    /** Whoever may ALTER_CONFIGS may describe them. */
    private static final Set<AclOperation> OF_OWN = EnumSet.of(CREATE, READ, WRITE, DELETE, ALTER_CONFIGS);

    static final String FIX = "Allow it with kafka-acls.sh --add; src/docs/reference.md lists what the service needs.";

    private static final int TRANSACTIONS_MILLIS = 30_000;

    private final ClusterAdmin admin;
    private final NeardupConfig config;

    /**
     * What the user of the service needs.
     *
     * @param isPrefix whether it is needed on all whose names begin so
     */
    public record Right(ResourceType resource, String name, boolean isPrefix, Set<AclOperation> operations) {
        /** What it is about, as messages say it: {@code topic unique}. */
        @Override
        public String toString() {
            String kind = resource.name().toLowerCase(Locale.ROOT).replace('_', ' ');
            return isPrefix ? kind + "s that begin with " + name : kind + " " + name;
        }

        private String denied(Set<AclOperation> missing) {
            return this + ": expected that this user may " + names(operations) + ", found that it may not "
                    + names(missing);
        }
    }

    public AccessCheck(ClusterAdmin admin, NeardupConfig config) {
        this.admin = admin;
        this.config = config;
    }

    /** By topic that the service does not make, what it does there. */
    private static Map<String, Set<AclOperation>> given(NeardupConfig config) {
        Map<String, Set<AclOperation>> given = new LinkedHashMap<>();
        config.inputTopics().forEach(topic -> given.put(topic, OF_INPUT));
        config.seedTopics().forEach(topic -> given.put(topic, OF_INPUT));
        config.hashSeedOf().ifPresent(index -> given.put(new TopicNames(index).settings(), OF_INPUT));
        config.successorOf().map(TopicNames::new).ifPresent(before -> {
            given.put(before.originalsChangelog(), OF_INPUT_AND_SIZE);
            given.put(before.settings(), OF_INPUT);
            if (config.writesStories()) {
                given.put(before.storiesChangelog(), OF_INPUT);
            }
        });
        config.outputTopics().forEach(topic -> given.put(topic, OF_OUTPUT));
        return given;
    }

    /** All that the service needs with these settings: what the start checks, and what an authorizer is to be given. */
    public static List<Right> needed(NeardupConfig config) {
        List<Right> rights = new ArrayList<>();
        given(config).forEach((topic, operations) -> rights.add(new Right(TOPIC, topic, false, operations)));
        String own = config.applicationId() + "-";
        rights.add(new Right(TOPIC, own, true, OF_OWN));
        rights.add(new Right(GROUP, config.applicationId(), false, EnumSet.of(READ)));
        rights.add(new Right(TRANSACTIONAL_ID, own, true, EnumSet.of(WRITE)));
        return rights;
    }

    /**
     * Checks the rights on the topics that exist and on the group. Topics of our own that do not exist must be allowed
     * to be made.
     */
    public void check() {
        Map<String, Set<AclOperation>> ofTopics = admin.rights(given(config).keySet());
        List<String> problems = new ArrayList<>();
        for (Right right : needed(config)) {
            Set<AclOperation> missing = EnumSet.copyOf(right.operations());
            missing.removeAll(
                    switch (right.resource()) {
                        case GROUP ->
                            admin.mayReadGroup(config.applicationId()) ? right.operations() : Set.<AclOperation>of();
                        case TOPIC ->
                            right.isPrefix() ? ofOwn(right) : ofTopics.getOrDefault(right.name(), right.operations());
                        // Seen as transactions are begun.
                        default -> right.operations();
                    });
            if (!missing.isEmpty()) {
                problems.add(right.denied(missing));
            }
        }
        StartupException.throwIfAny(problems, FIX);
    }

    /** What may be done with all of our own topics. One that is there needs not be made. */
    private Set<AclOperation> ofOwn(Right right) {
        List<String> own = new TopicNames(config.applicationId()).all(config);
        Map<String, Set<AclOperation>> found = admin.rights(own);
        Set<AclOperation> rights = EnumSet.copyOf(right.operations());
        found.values().forEach(rights::retainAll);
        rights.remove(CREATE);
        if (own.stream().filter(topic -> !found.containsKey(topic)).allMatch(admin::mayCreate)) {
            rights.add(CREATE);
        }
        return rights;
    }

    public void checkCreating(List<String> topics) {
        StartupException.throwIfAny(
                topics.stream()
                        .filter(topic -> !admin.mayCreate(topic))
                        .map(topic -> new Right(TOPIC, topic, false, EnumSet.of(CREATE)))
                        .map(right -> right.denied(right.operations()))
                        .toList(),
                FIX);
    }

    /**
     * Checks whether the cluster takes transactions: Kafka Streams would try for ever, without a word that an operator
     * sees. Registers for them, and begins none.
     */
    public void checkTransactions() {
        Map<String, Object> settings = StreamsSettings.clients(config);
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, config.applicationId() + "-start");
        // As long as those of the service: the cluster may not take those of Kafka's default.
        Map<String, Object> ofStreams =
                new StreamsConfig(StreamsSettings.of(config, "none")).getProducerConfigs("check");
        settings.put(
                ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, ofStreams.get(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG));
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, TRANSACTIONS_MILLIS);
        settings.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 10);
        KafkaProducer<byte[], byte[]> producer = producer(settings);
        try {
            producer.initTransactions();
        } catch (InterruptException e) {
            throw e;
        } catch (TransactionalIdAuthorizationException e) {
            Right right = new Right(TRANSACTIONAL_ID, config.applicationId() + "-", true, EnumSet.of(WRITE));
            throw new StartupException(List.of(right.denied(right.operations()), FIX), e);
        } catch (KafkaException e) {
            throw notTaken(e);
        } finally {
            producer.close(Duration.ZERO);
        }
    }

    private static KafkaProducer<byte[], byte[]> producer(Map<String, Object> settings) {
        try {
            return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        } catch (ConfigException e) {
            throw e;
        } catch (KafkaException e) {
            throw ClusterAdmin.noClient(e, String.valueOf(settings.get(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG)));
        }
    }

    private static StartupException notTaken(KafkaException failure) {
        return new StartupException(
                "transactions: expected the cluster to take them within " + TRANSACTIONS_MILLIS / 1000 + " s, found "
                        + failure.getClass().getSimpleName() + ": " + failure.getMessage()
                        + "; check that its settings transaction.state.log.replication.factor and"
                        + " transaction.state.log.min.isr ask for no more brokers than run, and that its"
                        + " transaction.max.timeout.ms is at least producer.transaction.timeout.ms",
                failure);
    }

    private static String names(Set<AclOperation> operations) {
        return operations.stream().sorted().map(AclOperation::name).collect(Collectors.joining(", "));
    }
}
