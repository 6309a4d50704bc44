package io.neardup.service.cluster;

import static org.apache.kafka.common.acl.AclOperation.ALTER_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.CREATE;
import static org.apache.kafka.common.acl.AclOperation.DELETE;
import static org.apache.kafka.common.acl.AclOperation.DESCRIBE_CONFIGS;
import static org.apache.kafka.common.acl.AclOperation.READ;
import static org.apache.kafka.common.acl.AclOperation.WRITE;

import io.neardup.config.NeardupConfig;
import io.neardup.streams.store.TopicNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Whether this user may do all that the service does with topics, with its group and in transactions. Kafka Streams
 * would fail in the midst of it, and a purge that is denied would fill the disks. Everything that is missing is
 * reported at once.
 */
public final class AccessCheck {
    private static final Set<AclOperation> OF_INPUT = EnumSet.of(READ);
    private static final Set<AclOperation> OF_INPUT_AND_SIZE = EnumSet.of(READ, DESCRIBE_CONFIGS);
    private static final Set<AclOperation> OF_OUTPUT = EnumSet.of(WRITE, DESCRIBE_CONFIGS);
    /** Whoever may ALTER_CONFIGS may describe them. */
    private static final Set<AclOperation> OF_OWN = EnumSet.of(READ, WRITE, DELETE, ALTER_CONFIGS);

    private static final String FIX =
            "Allow it with kafka-acls.sh --add; src/docs/operations.md lists what the service needs.";

    private static final int TRANSACTIONS_MILLIS = 30_000;

    private final ClusterAdmin admin;
    private final String group;
    private final Map<String, Set<AclOperation>> given = new TreeMap<>();
    private final List<String> own;
    /** Of another index. */
    private final Set<String> foreign;

    public AccessCheck(ClusterAdmin admin, NeardupConfig config) {
        this.admin = admin;
        this.group = config.applicationId();
        config.inputTopics().forEach(topic -> given.put(topic, OF_INPUT));
        config.seedTopics().forEach(topic -> given.put(topic, OF_INPUT));
        this.foreign = Stream.concat(
                        config.hashSeedOf().map(index -> new TopicNames(index).settings()).stream(),
                        config.successorOf().map(index -> new TopicNames(index).storiesChangelog()).stream())
                .collect(Collectors.toSet());
        config.hashSeedOf().ifPresent(index -> given.put(new TopicNames(index).settings(), OF_INPUT));
        config.successorOf().map(TopicNames::new).ifPresent(before -> {
            given.put(before.originalsChangelog(), OF_INPUT_AND_SIZE);
            given.put(before.settings(), OF_INPUT);
            if (config.writesStories()) {
                given.put(before.storiesChangelog(), OF_INPUT);
            }
        });
        config.outputTopics().forEach(topic -> given.put(topic, OF_OUTPUT));
        this.own = new TopicNames(config.applicationId()).all(config);
    }

    /**
     * Checks the rights on the topics that exist and on the group. Topics of our own that do not exist must be allowed
     * to be made.
     *
     * @throws StartupException that names each resource and what may not be done with it
     */
    public void check() {
        List<String> problems = new ArrayList<>();
        Map<String, Set<AclOperation>> rights = admin.rights(given.keySet());
        rights.forEach(
                (topic, found) -> addMissing("topic " + topic, given.getOrDefault(topic, Set.of()), found, problems));
        addMissing("topics that begin with " + group + "-", withCreate(OF_OWN), rightsOnOwn(), problems);
        if (!admin.mayReadGroup(group)) {
            addMissing("group " + group, EnumSet.of(READ), Set.of(), problems);
        }
        StartupException.throwIfAny(problems, FIX);
    }

    /**
     * Checks whether the input and output topics that do not exist may be made.
     *
     * @throws StartupException that names those that may not
     */
    public void checkCreating() {
        Set<String> found = admin.rights(given.keySet()).keySet();
        List<String> problems = new ArrayList<>();
        given.keySet().stream()
                .filter(topic -> !found.contains(topic) && !foreign.contains(topic) && !admin.mayCreate(topic))
                .forEach(topic -> addMissing("topic " + topic, EnumSet.of(CREATE), Set.of(), problems));
        StartupException.throwIfAny(problems, FIX);
    }

    /**
     * Checks whether the cluster takes transactions: Kafka Streams would try for ever, without a word that an operator
     * sees. Registers for them, and begins none.
     *
     * @param clients what a client needs to reach the cluster
     * @throws StartupException if the cluster does not let us
     */
    public static void checkTransactions(Map<String, Object> clients, String applicationId) {
        Map<String, Object> settings = new HashMap<>(clients);
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, applicationId + "-start");
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, TRANSACTIONS_MILLIS);
        settings.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 10);
        KafkaProducer<byte[], byte[]> producer = producer(settings);
        try {
            producer.initTransactions();
        } catch (InterruptException e) {
            throw e;
        } catch (TransactionalIdAuthorizationException e) {
            List<String> problems = new ArrayList<>();
            addMissingTransactions(applicationId, problems);
            problems.add(FIX);
            throw new StartupException(problems, e);
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
                        + " transaction.state.log.min.isr ask for no more brokers than run",
                failure);
    }

    /** What may be done with all of our own topics. One that is there needs not be made. */
    private Set<AclOperation> rightsOnOwn() {
        Map<String, Set<AclOperation>> found = admin.rights(own);
        Set<AclOperation> rights = withCreate(OF_OWN);
        found.values().forEach(rights::retainAll);
        rights.remove(CREATE);
        if (own.stream().filter(topic -> !found.containsKey(topic)).allMatch(admin::mayCreate)) {
            rights.add(CREATE);
        }
        return rights;
    }

    private static Set<AclOperation> withCreate(Set<AclOperation> operations) {
        Set<AclOperation> all = EnumSet.of(CREATE);
        all.addAll(operations);
        return all;
    }

    private static void addMissing(
            String resource, Set<AclOperation> needed, Set<AclOperation> found, List<String> problems) {
        Set<AclOperation> missing = EnumSet.copyOf(needed);
        missing.removeAll(found);
        if (!missing.isEmpty()) {
            problems.add(resource + ": expected that this user may " + names(needed) + ", found that it may not "
                    + names(missing));
        }
    }

    private static String names(Set<AclOperation> operations) {
        return operations.stream().sorted().map(AclOperation::name).collect(Collectors.joining(", "));
    }

    private static void addMissingTransactions(String applicationId, List<String> problems) {
        addMissing("transactional ids that begin with " + applicationId + "-", Set.of(WRITE), Set.of(), problems);
    }

    /** What this user may not do, where that made the service fail; else the failure as it is. */
    public Throwable explained(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            List<String> problems = denied(cause);
            if (!problems.isEmpty()) {
                problems.add(FIX);
                return new StartupException(problems, failure);
            }
        }
        return failure;
    }

    private List<String> denied(Throwable cause) {
        List<String> problems = new ArrayList<>();
        if (cause instanceof TransactionalIdAuthorizationException) {
            addMissingTransactions(group, problems);
        } else if (cause instanceof GroupAuthorizationException) {
            addMissing("group " + group, Set.of(READ), Set.of(), problems);
        } else if (cause instanceof TopicAuthorizationException denied) {
            addDeniedTopics(denied, problems);
        }
        return problems;
    }

    /** Kafka says which topics, at times, and never which operation it was. */
    private void addDeniedTopics(TopicAuthorizationException denied, List<String> problems) {
        denied.unauthorizedTopics().stream()
                .sorted()
                .forEach(topic -> problems.add("topic " + topic + ": expected that this user may "
                        + names(given.getOrDefault(topic, OF_OWN)) + ", found that not all of it is allowed"));
        if (denied.unauthorizedTopics().isEmpty()) {
            problems.add("topics of application.id " + group
                    + ": expected that this user may do with them what the service needs, found "
                    + denied.getClass().getSimpleName() + ": " + denied.getMessage());
        }
    }
}
