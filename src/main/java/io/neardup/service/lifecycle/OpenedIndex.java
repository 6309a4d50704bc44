package io.neardup.service.lifecycle;

import io.neardup.config.IndexSettings;
import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.AccessCheck;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.ClusterAdmin.FoundTopic;
import io.neardup.service.cluster.KnownTopics;
import io.neardup.service.cluster.RemovedInputCheck;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.cluster.SettingsTopic.OutputsHeld;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StoredIndex;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.service.cluster.Topics;
import io.neardup.service.migration.SeedingAgreement;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.DedupTopology;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index that fits given settings and topics, and how far it is with what it is begun with.
 *
 * @param beginning what it is begun with
 * @param outputsHeld where it is new and its outputs are not, those that hold records; mostly empty
 */
record OpenedIndex(
        NeardupConfig config, StoredIndex index, Seeding seeding, SeedingAgreement beginning, Set<String> outputsHeld) {
    private static final Logger LOG = LoggerFactory.getLogger(OpenedIndex.class);

    /**
     * Finds the index, or makes a new one.
     *
     * @param topics of the same settings
     * @param setup as the topics are now
     * @throws StartupException if settings or topics do not fit it
     */
    static OpenedIndex of(NeardupConfig config, ClusterAdmin admin, Topics topics, Topics.Setup setup) {
        AccessCheck.checkTransactions(StreamsSettings.clients(config), config.applicationId());
        IndexSettings indexSettings = IndexSettings.of(config, setup.inputPartitions(), DedupTopology.layouts());
        SettingsTopic settingsTopic = new SettingsTopic(config);
        SeedingAgreement beginning = new SeedingAgreement(config, admin, settingsTopic, setup);
        // Before the new index is bound to anything: what is refused must not stay.
        Optional<Predecessor> predecessor = beginning.predecessor();
        StoredIndex index = settingsTopic.agree(indexSettings, setup.stateExists(), admin);
        Seeding seeding = beginning.bind(predecessor);
        KnownTopics known = topics.recognise(index.topics(), setup.inputPartitions());
        new RemovedInputCheck(admin, config).check(known, setup.inputPartitions());
        if (!known.equals(index.topics())) {
            settingsTopic.note(SettingsTopic.TOPICS, known);
        }
        warnOfOneInSync(config, admin);
        LOG.info(
                "starting application.id={} index={}",
                config.applicationId(),
                index.settings().entries());
        Set<String> outputsHeld = isNew(index) ? outputsHeld(config, admin, setup) : Set.of();
        OutputsHeld.note(config.applicationId(), outputsHeld).ifPresent(LOG::warn);
        return new OpenedIndex(config, index.with(known), seeding, beginning, outputsHeld);
    }

    /** No start has got so far with it. */
    private static boolean isNew(StoredIndex index) {
        return index.topics().equals(KnownTopics.NONE);
    }

    /** Those that hold what another index has put there, as after a slip; a successor is to go on there. */
    private static Set<String> outputsHeld(NeardupConfig config, ClusterAdmin admin, Topics.Setup setup) {
        if (config.successorOf().isPresent()) {
            return Set.of();
        }
        Set<TopicPartition> outputs = new HashSet<>();
        for (String topic : config.outputTopics()) {
            FoundTopic found = Objects.requireNonNull(setup.topics().get(topic), topic);
            outputs.addAll(ClusterAdmin.partitions(topic, found.partitions()));
        }
        Map<TopicPartition, Long> beginnings = admin.beginnings(outputs);
        Set<String> held = new TreeSet<>();
        admin.ends(outputs).forEach((partition, end) -> {
            if (end > beginnings.getOrDefault(partition, end)) {
                held.add(partition.topic());
            }
        });
        return held;
    }

    /** Those that others made. */
    private static void warnOfOneInSync(NeardupConfig config, ClusterAdmin admin) {
        TopicNames names = new TopicNames(config.applicationId());
        List<String> written = new ArrayList<>(config.outputTopics());
        written.addAll(names.inFlight(TopicNames.hasSeeds(config)));
        written.addAll(names.changelogs());
        written.add(names.settings());
        List<String> found = admin.withOneInSync(written);
        if (!found.isEmpty()) {
            LOG.warn(
                    "topics={} have three replicas or more, and min.insync.replicas is 1: what a broker alone has taken"
                            + " is lost with it; set it to 2 (kafka-configs.sh --alter --topic ... --add-config"
                            + " min.insync.replicas=2)",
                    found);
        }
    }

    /**
     * Checks what the index still needs of what it is begun with, by what coordinators have noted by now; and that
     * instances that run read the topic that brings that, if this one does, and else do not: Kafka Streams would share
     * out the work again and again, and never end.
     *
     * @throws StartupException if something is missing, or they differ
     */
    void requireRest(ClusterAdmin admin) {
        beginning.requireRest(seeding);
        if (seeding.plan().names().isEmpty() || !seeding.isDone()) {
            return;
        }
        String seeds = new TopicNames(config.applicationId()).seeds();
        Predicate<Set<String>> fits = read -> read.isEmpty() || read.contains(seeds) == TopicNames.hasSeeds(config);
        if (admin.assignedTopics(config, fits).filter(fits.negate()).isPresent()) {
            throw differs();
        }
    }

    private StartupException differs() {
        Optional<Predecessor> predecessor = seeding.predecessor();
        String key = predecessor.isPresent() ? "neardup.successor.of" : "neardup.seed.topics";
        String with = predecessor.map(Predecessor::applicationId).orElse(String.join(",", config.seedTopics()));
        boolean has = TopicNames.hasSeeds(config);
        return new StartupException(List.of(key + ": expected " + (has ? "none" : "it as before")
                + ", as other instances of application.id " + config.applicationId() + " run "
                + (has ? "without it, found " + with : "with it, found none")
                + ": the two cannot share the work; restore the setting here, or stop all instances, and then start"
                + " them with the same settings"));
    }
}
