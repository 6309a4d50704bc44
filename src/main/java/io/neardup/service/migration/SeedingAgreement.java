package io.neardup.service.migration;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.ClusterAdmin.FoundTopic;
import io.neardup.service.cluster.CommittedRecords;
import io.neardup.service.cluster.CommittedRecords.Span;
import io.neardup.service.cluster.SettingsReader;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StoredIndex;
import io.neardup.service.cluster.StoredIndex.KnownTopics;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.service.cluster.Topics;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.input.SeedPlan;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.DedupTopology;
import io.neardup.streams.topology.InternalTopics;
import io.neardup.streams.topology.SeedRecords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;

/**
 * What an index is begun with is settled once, when it is made: which seeds and how far each is read, or which other
 * index, if it can be made from that at all.
 *
 * @param settings of the index that is made
 * @param setup the topics as they are now
 */
public record SeedingAgreement(NeardupConfig config, ClusterAdmin admin, SettingsTopic settings, Topics.Setup setup) {
    private static final String SEEDS = "neardup.seed.topics";
    private static final String JUDGE = "neardup.seed.judge";
    private static final String PREDECESSOR = "neardup.successor.of";
    private static final int STALLED_SECONDS = 30;
    private static final Duration COMMIT_WAIT = Duration.ofSeconds(5);

    /**
     * The predecessor that the index was made from, or of a new one that it can be made from; empty where it has none.
     *
     * @throws StartupException if the settings name another, or it cannot be made from that
     */
    public Optional<Predecessor> predecessor() {
        Optional<Predecessor> bound = settings.find().flatMap(StoredIndex::predecessor);
        Optional<String> given = config.successorOf();
        if (bound.isPresent()) {
            String id = bound.get().applicationId();
            given.filter(other -> !other.equals(id)).ifPresent(other -> {
                throw refused(PREDECESSOR, id, other);
            });
            return bound;
        }
        if (given.isPresent() && setup.stateExists()) {
            throw refused(PREDECESSOR, "none", given.get());
        }
        return examineGiven();
    }

    /**
     * The index that the settings of a new one name, which can be made from it; empty where they name none.
     *
     * @throws StartupException if it cannot
     */
    public Optional<Predecessor> examineGiven() {
        return config.successorOf().map(this::examine);
    }

    /**
     * Binds the index, which is made by now, to its predecessor, or else to its seeds.
     *
     * @param predecessor as {@link #predecessor} has found it
     * @throws StartupException if the settings name other seeds
     */
    public Seeding bind(Optional<Predecessor> predecessor) {
        return predecessor
                .map(before -> settings.bind(SettingsTopic.PREDECESSOR, () -> before))
                .map(found -> Seeding.after(found, setup.inputPartitions(), config.inputTopics()))
                .orElseGet(() -> new Seeding(seeds(), setup.inputPartitions(), config.inputTopics()));
    }

    /**
     * The input topics as the predecessor of a new index has met them: so generations are counted on from there, and no
     * place of this index is that of another record of the predecessor's.
     */
    public KnownTopics inheritedTopics(Seeding seeding) {
        Map<String, List<String>> met = seeding.predecessor()
                .flatMap(before -> new SettingsTopic(config, admin, before.applicationId()).find())
                .map(index -> new HashMap<>(index.topics().ids()))
                .orElse(new HashMap<>());
        met.keySet().retainAll(config.inputTopics());
        return new KnownTopics(met);
    }

    /**
     * Checks that what the index is begun with is named and there as it was, as long as it is needed, and that it is
     * known how far that is read. What comes twice of a predecessor counts once.
     *
     * @throws StartupException if it is not
     */
    public void requireRest(Seeding seeding) {
        TopicNames.predecessorStories(seeding.predecessor(), config).stream()
                .map(TopicPartition::topic)
                .filter(topic -> !setup.topics().containsKey(topic))
                .findFirst()
                .ifPresent(topic -> {
                    throw new StartupException("topic " + topic + ": expected the stories of the index that "
                            + PREDECESSOR + " names, found no such topic; where all is taken over take the setting out,"
                            + " else leave stories out of neardup.outputs until it is");
                });
        if (seeding.isDone()) {
            return;
        }
        if (seeding.predecessor().isPresent()) {
            requirePredecessor(seeding.predecessor().get());
        } else {
            requireSeeds(seeding.plan());
            requirePositions(config, admin, seeding);
        }
    }

    private StartupException refused(String key, String expected, String found) {
        return new StartupException(key + ": expected " + expected + ", as when the index of application.id "
                + config.applicationId() + " was made, found " + found
                + "; restore the setting, or start anew under another application.id");
    }

    // ---- seeds

    private SeedPlan seeds() {
        // With state, it was begun by an earlier start: with what that has noted.
        SeedPlan plan = setup.stateExists()
                ? settings.find().flatMap(StoredIndex::ownSeeds).orElse(SeedPlan.NONE)
                : settings.bind(SettingsTopic.SEEDS, this::planOfNow);
        List<String> given = config.seedTopics();
        if (!given.isEmpty() && !given.equals(plan.names())) {
            String expected = plan.names().isEmpty() ? "none" : String.join(",", plan.names());
            throw refused(SEEDS, expected, String.join(",", given));
        }
        if (!given.isEmpty() && config.seedJudge() != plan.judged()) {
            throw refused(JUDGE, String.valueOf(plan.judged()), String.valueOf(config.seedJudge()));
        }
        return plan;
    }

    private SeedPlan planOfNow() {
        List<SeedPlan.Topic> topics = new ArrayList<>();
        for (String topic : config.seedTopics()) {
            FoundTopic found = found(topic);
            List<TopicPartition> all = ClusterAdmin.partitions(topic, found.partitions());
            Map<TopicPartition, Long> ends = admin.decidedEnds(all);
            topics.add(new SeedPlan.Topic(
                    topic,
                    found.id(),
                    all.stream()
                            .map(partition -> Objects.requireNonNull(ends.get(partition), partition.toString()))
                            .toList()));
        }
        return new SeedPlan(topics, config.seedJudge());
    }

    private FoundTopic found(String topic) {
        return Objects.requireNonNull(setup.topics().get(topic), topic);
    }

    private void requireSeeds(SeedPlan plan) {
        if (config.seedTopics().isEmpty()) {
            throw refused(SEEDS, String.join(",", plan.names()), "none, before all were read");
        }
        List<String> problems = plan.topics().stream()
                .filter(topic -> !topic.id().equals(found(topic.name()).id()))
                .map(topic -> "seed " + topic.name() + ": expected the topic that the index was made with, found"
                        + " another made under its name before all of it was read; start anew under another"
                        + " application.id")
                .toList();
        StartupException.throwIfAny(problems);
    }

    /**
     * Until all seeds are read, how far they are must be known: coordinators know the documents of the input again, but
     * not those of a seed that is brought to them twice.
     *
     * @throws StartupException if it is not
     */
    public static void requirePositions(NeardupConfig config, ClusterAdmin admin, Seeding seeding) {
        List<String> seeds = seeding.plan().names();
        Supplier<Boolean> isKnown = () -> admin.committed(config.applicationId()).keySet().stream()
                .map(TopicPartition::topic)
                .anyMatch(seeds::contains);
        if (!isKnown.get()
                && isAnyBrought(config, admin, seeding.coordinators())
                // The first may have been brought in between.
                && !ClusterAdmin.await(isKnown, known -> known, COMMIT_WAIT)) {
            throw new StartupException("neardup.seed.topics: expected to know how far "
                    + String.join(",", seeds) + " was read, found that the cluster has forgotten it, as it does where a"
                    + " service stands still for longer than offsets.retention.minutes of the brokers: documents"
                    + " would be taken twice; delete what there is of " + config.applicationId() + " with index reset,"
                    + " and start it again: nothing of the input was taken yet");
        }
    }

    /** What is brought is committed together with how far that is; the ends of seeds are written by themselves. */
    private static boolean isAnyBrought(NeardupConfig config, ClusterAdmin admin, int coordinators) {
        List<TopicPartition> all =
                ClusterAdmin.partitions(new TopicNames(config.applicationId()).seeds(), coordinators);
        Map<TopicPartition, Long> beginnings = admin.beginnings(all);
        Map<TopicPartition, Span> there = SeedWatch.rest(admin.committedEnds(all), beginnings);
        boolean isAnyDeleted = beginnings.values().stream().anyMatch(beginning -> beginning > 0);
        return isAnyDeleted
                || (!there.isEmpty()
                        && new CommittedRecords(StreamsSettings.clients(config), STALLED_SECONDS)
                                .isAny(there, record -> !SeedRecords.isEnd(record.headers())));
    }

    // ---- a predecessor

    private Predecessor examine(String id) {
        TopicNames names = new TopicNames(id);
        StoredIndex index = new SettingsTopic(config, admin, id)
                .find()
                .orElseThrow(() -> new StartupException(
                        PREDECESSOR + ": expected the application.id of an index, found that topic " + names.settings()
                                + " holds none"));
        int coordinators = index.settings().inputPartitions();
        SettingsReader settingsReader = settingsReader(id);
        List<String> problems = new ArrayList<>(index.settings().successorProblems(config, setup.inputPartitions()));
        checkInputs(index.topics(), names, problems);
        checkSize(names.originalsChangelog(), problems);
        requireInput(id, settingsReader);
        int storyPartitions = Optional.ofNullable(setup.topics().get(names.storiesChangelog()))
                .map(FoundTopic::partitions)
                .orElse(0);
        if (storyPartitions == 0) {
            checkStories(id, problems);
        }
        checkScopes(id, index, problems);
        index.settings().unsupportedLayouts(DedupTopology.layouts()).stream()
                .filter(line -> line.startsWith("layout.state"))
                .forEach(problems::add);
        StartupException.throwIfAny(
                problems,
                "The index of application.id " + id + " cannot become one of these settings: give those that it was"
                        + " made with, or start anew from the input, without " + PREDECESSOR + ".");
        SeedPlan seeds = index.seedsOfOriginals();
        return new Predecessor(
                id,
                index.id(),
                coordinators,
                names.originalsChangelog(),
                found(names.originalsChangelog()).id(),
                settingsReader
                        .predecessor()
                        .filter(its -> its.isSpreadOver(coordinators))
                        .isPresent(),
                seeds,
                seedEnds(id, coordinators, seeds.names(), settingsReader),
                storyPartitions);
    }

    private SettingsReader settingsReader(String id) {
        SettingsReader settingsReader = new SettingsReader(config, admin, id);
        settingsReader.catchUp();
        return settingsReader;
    }

    /**
     * By coordinator, as {@link Predecessor#seedEnds}. Until all is seeded it is not known which originals are of a
     * seed.
     */
    private static List<Map<String, Long>> seedEnds(
            String id, int coordinators, List<String> seeds, SettingsReader settingsReader) {
        List<Map<String, Long>> ends = new ArrayList<>();
        IntStream.range(0, coordinators).forEach(coordinator -> ends.add(new HashMap<>()));
        settingsReader.seedsRead().stream()
                .filter(read -> seeds.contains(read.topic()))
                .forEach(read -> ends.get(read.coordinator()).putIfAbsent(read.topic(), read.endSequence()));
        if (ends.stream().anyMatch(ofCoordinator -> !ofCoordinator.keySet().containsAll(seeds))) {
            throw new StartupException(PREDECESSOR
                    + ": expected an index that has read all of its seeds, found that "
                    + id + " still reads " + String.join(",", seeds) + "; start again when " + id + " is ready");
        }
        return ends;
    }

    /** Scopes are kept as hashes under the secret seed. */
    private void checkScopes(String id, StoredIndex index, List<String> problems) {
        boolean hasItsSeed = config.hashSeed().isPresent()
                ? config.hashSeed().getAsLong() == index.hashSeed()
                : config.hashSeedOf().filter(id::equals).isPresent();
        if (index.settings().hasScopes() && !hasItsSeed) {
            problems.add("neardup.hash.seed: expected of:" + id
                    + ", as the predecessor keeps scopes as hashes under its secret seed, found "
                    + config.hashSeedOf().map("of:"::concat).orElse("none"));
        }
    }

    /** The positions at which it takes over are of these very topics. */
    private void checkInputs(KnownTopics known, TopicNames names, List<String> problems) {
        for (String input : config.inputTopics()) {
            if (known.id(input).filter(found(input).id()::equals).isEmpty()) {
                TreeSet<String> read = new TreeSet<>(known.ids().keySet());
                read.removeAll(names.changelogs());
                problems.add("neardup.input.topics: expected topics that the predecessor reads, " + read + ", found "
                        + input
                        + (read.contains(input) ? ", made again under its name" : ""));
            }
        }
    }

    /** Where the predecessor has none to go on from, stories begin at the first revision. */
    private void checkStories(String id, List<String> problems) {
        if (!config.writesStories()) {
            return;
        }
        String topic = config.storiesTopic();
        if (!admin.withRecords(Map.of(topic, found(topic))).isEmpty()) {
            problems.add("neardup.stories.topic: expected a topic without stories, as " + id + " has none to be taken"
                    + " over, so that they begin anew, maybe under the same keys, found " + topic
                    + " with some; set it to another one, as " + topic + "-2");
        }
    }

    private void checkSize(String changelog, List<String> problems) {
        long bytes = Topics.bytesMax(admin.settings(changelog));
        long most = InternalTopics.recordBytesMax(config);
        if (bytes > most) {
            problems.add("neardup.document.bytes.max: expected at least the predecessor's, found "
                    + config.documentBytesMax() + ": its records may have " + bytes
                    + " bytes, and with this setting at most " + most + " are carried");
        }
    }

    private void requireInput(String id, SettingsReader settingsReader) {
        PredecessorWatch.lost(config, id, settingsReader.cutover()).ifPresent(lost -> {
            throw lost;
        });
    }

    private void requirePredecessor(Predecessor predecessor) {
        String id = predecessor.applicationId();
        if (config.successorOf().isEmpty()) {
            throw refused(PREDECESSOR, id, "none, before all was taken over");
        }
        String index =
                new SettingsTopic(config, admin, id).find().map(StoredIndex::id).orElse("none");
        if (!index.equals(predecessor.index())
                || !found(predecessor.topic()).id().equals(predecessor.topicId())) {
            throw new StartupException(PREDECESSOR + ": expected the index that this one was begun from, " + id
                    + ", found another made under its name before all of it was taken over; start anew under another"
                    + " application.id");
        }
        requireInput(id, settingsReader(id));
    }
}
