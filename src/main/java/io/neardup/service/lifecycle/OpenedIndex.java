package io.neardup.service.lifecycle;

import io.neardup.config.IndexSettings;
import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.ClusterAdmin.FoundTopic;
import io.neardup.service.cluster.SettingsReader;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StoredIndex;
import io.neardup.service.cluster.StoredIndex.KnownTopics;
import io.neardup.service.cluster.Topics;
import io.neardup.service.migration.CutoverWatch;
import io.neardup.service.migration.SeedWatch;
import io.neardup.service.migration.SeedingAgreement;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.DedupTopology;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index that fits given settings and topics: found or made at the start, and followed while the service runs, by
 * what is noted in its settings topic of seeds, of a cutover, and for other instances.
 *
 * @param beginning what it is begun with
 * @param outputsWarning that a new index writes to outputs which already hold records; mostly empty
 * @param settingsReader of its settings topic, up to the last look
 */
record OpenedIndex(
        SeedingAgreement beginning,
        StoredIndex stored,
        Seeding seeding,
        Optional<String> outputsWarning,
        SettingsReader settingsReader,
        SeedWatch seeds,
        CutoverWatch cutover) {
    private static final Logger LOG = LoggerFactory.getLogger(OpenedIndex.class);

    /**
     * Finds the index, or makes a new one.
     *
     * @throws StartupException if settings or topics do not fit it
     */
    static OpenedIndex of(NeardupConfig config, ClusterAdmin admin, Topics topics, Topics.Setup setup) {
        IndexSettings indexSettings = IndexSettings.of(config, setup.inputPartitions(), DedupTopology.layouts());
        SettingsTopic settingsTopic = new SettingsTopic(config, admin);
        SeedingAgreement beginning = new SeedingAgreement(config, admin, settingsTopic, setup);
        // Before the new index is bound to anything: what is refused must not stay.
        Optional<Predecessor> predecessor = beginning.predecessor();
        StoredIndex index = settingsTopic.agree(indexSettings, setup.stateExists());
        Seeding seeding = beginning.bind(predecessor);
        KnownTopics known = topics.recognise(
                isNew(index) ? beginning.inheritedTopics(seeding) : index.topics(), setup.inputPartitions());
        topics.requireDrained(known, setup.inputPartitions());
        // As long as it is known to be new: a start that fails here looks again.
        Optional<String> outputsWarning = isNew(index) ? outputsWarning(config, admin, setup) : Optional.empty();
        if (!known.equals(index.topics())) {
            settingsTopic.note(SettingsTopic.TOPICS, known);
        }
        LOG.info(
                "starting application.id={} index={}",
                config.applicationId(),
                index.settings().entries());
        SettingsReader settingsReader = new SettingsReader(config, admin, config.applicationId());
        return new OpenedIndex(
                beginning,
                index.with(known),
                seeding,
                outputsWarning,
                settingsReader,
                new SeedWatch(config, admin, seeding, settingsReader),
                new CutoverWatch(config, admin, settingsReader, setup.inputPartitions()));
    }

    /** No start has got so far with it. */
    private static boolean isNew(StoredIndex index) {
        return index.topics().equals(KnownTopics.NONE);
    }

    /** Where they hold what another index has put there, as after a slip; a successor is to go on there. */
    static Optional<String> outputsWarning(NeardupConfig config, ClusterAdmin admin, Topics.Setup setup) {
        Map<String, FoundTopic> outputs = new HashMap<>(setup.topics());
        outputs.keySet().retainAll(config.outputTopics());
        Set<String> held = config.successorOf().isPresent() ? Set.of() : admin.withRecords(outputs);
        return held.isEmpty()
                ? Optional.empty()
                : Optional.of("application.id " + config.applicationId() + " is new, and its outputs hold records"
                        + " already, topics " + held
                        + ": all of the input is read, and what another index has put there"
                        + " comes there once more. Where that is not meant, stop all instances of this"
                        + " application.id, and start them with the right one");
    }

    private NeardupConfig config() {
        return beginning.config();
    }

    /**
     * Looks for the first time, before the service starts, and checks what the index still needs of what it is begun
     * with.
     *
     * @throws StartupException if the index has handed its input over, or something is missing, or other instances have
     *     other seeds, or write stories where this one does not, or those that are handed over
     */
    void begin() {
        catchUp();
        cutover.requireInput();
        cutover.requireStories(config().writesStories());
        beginning.requireRest(seeding);
        TopicNames names = new TopicNames(config().applicationId());
        boolean hasSeeds = TopicNames.hasSeeds(config());
        if (seeding.isDone() && !seeding.plan().names().isEmpty()) {
            String setting = seeding.predecessor().isPresent() ? "neardup.successor.of" : "neardup.seed.topics";
            requireSame(setting, "it as before", "none", names.seeds(), hasSeeds);
        }
        requireSame("neardup.outputs", "stories", "no stories", names.storyEvents(), config().writesStories());
    }

    /**
     * Instances that run must read a topic, if this one does, and else not: Kafka Streams would share out the work
     * again and again, and never end.
     *
     * @param with what the setting says where it is read
     * @param without the same where it is not
     */
    private void requireSame(String setting, String with, String without, String topic, boolean isRead) {
        Predicate<Set<String>> fits = read -> read.isEmpty() || read.contains(topic) == isRead;
        if (beginning
                .admin()
                .assignedTopics(config(), fits)
                .filter(fits.negate())
                .isPresent()) {
            throw new StartupException(setting + ": expected " + (isRead ? without : with)
                    + ", as other instances of application.id " + config().applicationId() + " run "
                    + (isRead ? "without" : "with") + " that: the two cannot share the work; restore the setting here,"
                    + " or stop all instances, and then start them with the same settings");
        }
    }

    /**
     * Looks once, and does what follows.
     *
     * @param onHandedOver runs where another index has taken over
     * @param onLost takes why this one can never take over
     */
    void look(Runnable onHandedOver, Consumer<StartupException> onLost) {
        catchUp();
        seeds.goOn();
        seeds.lost().ifPresent(onLost);
        cutover.notifyCoordinators();
        if (cutover.isHandedOver()) {
            onHandedOver.run();
        }
    }

    private void catchUp() {
        settingsReader.catchUp();
        seeds.take();
        if (seeds.status().isDone()) {
            // Until then the input is closed anyway, and what is left of seeds no successor would know of.
            cutover.take();
        }
    }

    /** What an operator is to do, so that all is read, and once; a sentence each. */
    List<String> alerts() {
        return Stream.of(outputsWarning, seeds.alert())
                .flatMap(Optional::stream)
                .toList();
    }
}
