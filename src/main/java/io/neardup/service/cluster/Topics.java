package io.neardup.service.cluster;

import io.neardup.config.NeardupConfig;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.record.Story;
import io.neardup.record.VerdictCodec;
import io.neardup.service.cluster.ClusterAdmin.FoundTopic;
import io.neardup.service.cluster.StoredIndex.KnownTopics;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.store.UnreleasedInput;
import io.neardup.streams.store.UnreleasedInput.Unreleased;
import io.neardup.streams.topology.InternalTopics;
import io.neardup.streams.topology.OutputLimits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics the service needs: it creates its own and checks all of them, as a wrong one would stall it or lose data
 * without a word. Everything wrong is reported at once.
 */
public final class Topics {
    private static final Logger LOG = LoggerFactory.getLogger(Topics.class);

    private static final String START_ANEW = "start anew under another application.id";

    /** Nobody waits for an answer that long. */
    private static final String CHECKS_RETENTION_MILLIS = "600000";

    /** With its key, and what a batch of one adds. */
    private static final int STORY_RECORD_BYTES_MAX = Story.BYTES_MAX + 1_000;

    private static final int STALLED_SECONDS = 60;

    /** Settings of which a higher value is kept. One of delete.retention.ms only makes starts read longer. */
    private static final Set<String> LOWER_BOUNDS =
            Set.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, TopicConfig.DELETE_RETENTION_MS_CONFIG);

    private final ClusterAdmin admin;
    private final NeardupConfig config;
    private final TopicNames names;
    private final List<String> problems = new ArrayList<>();

    public Topics(ClusterAdmin admin, NeardupConfig config) {
        this.admin = admin;
        this.config = config;
        this.names = new TopicNames(config.applicationId());
    }

    /**
     * The topics as they are once they fit.
     *
     * @param inputPartitions of the input topic with the most, when the index was made
     * @param stateExists whether changelogs exist, so that there was an index before
     * @param settingsToRestore of changelogs, by topic, as they are to be {@linkplain #restoreSettings restored}
     * @param topics all but the changelogs, by name
     */
    public record Setup(
            int inputPartitions,
            boolean stateExists,
            Map<String, Map<String, String>> settingsToRestore,
            OutputLimits.ByOutput limits,
            Map<String, FoundTopic> topics) {
        /** Whether all changelogs had the setting that keeps the markers of removals. */
        public boolean markersKept() {
            return settingsToRestore.values().stream()
                    .noneMatch(settings -> settings.containsKey(TopicConfig.DELETE_RETENTION_MS_CONFIG));
        }

        /** Of one of {@link #topics}: one that is made again under the same name has another. */
        public String id(String topic) {
            return Objects.requireNonNull(topics.get(topic), topic).id();
        }
    }

    /**
     * Creates what is missing of the service's own topics, but for the changelogs, and checks them all.
     *
     * @throws StartupException with everything that is wrong
     */
    public Setup prepare() {
        List<String> wanted = foundTopics(); // Asked once: of two answers the second may have a topic more.
        Map<String, FoundTopic> given = admin.find(wanted);
        wanted.stream().filter(topic -> !given.containsKey(topic)).forEach(this::reportMissing);
        StartupException.throwIfAny(problems);
        int inputPartitions = inputPartitions(most(given));
        if (inputPartitions > DocumentRef.COORDINATORS_MAX) {
            problems.add("topic " + config.inputTopics() + ": expected at most " + DocumentRef.COORDINATORS_MAX
                    + " partitions, found " + inputPartitions);
        }
        checkVerdicts(given, inputPartitions);
        checkStories();
        Set<String> before = admin.findNow(ownTopics()).keySet();
        Map<String, FoundTopic> topics = new HashMap<>(prepareOwn(before, inputPartitions));
        topics.putAll(given);
        StartupException.throwIfAny(problems);
        Map<String, FoundTopic> changelogs = admin.findNow(names.changelogs(config));
        changelogs.forEach((topic, found) -> checkPartitions(topic, ownPartitions(topic, inputPartitions), found));
        StartupException.throwIfAny(problems);
        Map<String, Map<String, String>> settingsToRestore = settingsToRestore(changelogs.keySet());
        checkBeginnings(changelogs, before.contains(names.settings()));
        StartupException.throwIfAny(problems);
        return new Setup(inputPartitions, !changelogs.isEmpty(), settingsToRestore, limits(), topics);
    }

    /** Input and output topics that are still to be made. */
    public List<String> missing() {
        List<String> missing = givenTopics();
        missing.removeAll(admin.findNow(missing).keySet());
        return missing;
    }

    /** Where the input has grown, the index goes on with those that it has. */
    private int inputPartitions(int now) {
        return new SettingsTopic(config, admin)
                .findIfThere()
                .map(index -> Math.min(now, index.settings().inputPartitions()))
                .orElse(now);
    }

    /**
     * Compares the topics with those that the index has met, and creates the changelogs of a new one.
     *
     * @return those that it has met now
     * @throws StartupException if what was met is gone, and not just the input with leave to skip that
     */
    public KnownTopics recognise(KnownTopics known, int inputPartitions) {
        createChangelogs(known, inputPartitions);
        List<String> recognised = new ArrayList<>(config.inputTopics());
        recognised.addAll(names.changelogs(config));
        Map<String, FoundTopic> found = admin.findCreated(recognised);
        KnownTopics now = known;
        for (String topic : recognised) {
            FoundTopic is = found.get(topic);
            if (is == null) {
                if (!admin.isReadOnly()) { // Else a start makes it.
                    problems.add("topic " + topic
                            + ": expected the one that was there a moment ago, found none; start again");
                }
                continue;
            }
            if (known.id(topic).filter(before -> !before.equals(is.id())).isPresent()) {
                reportMadeAgain(topic);
            }
            now = now.with(topic, is.id());
        }
        StartupException.throwIfAny(problems);
        return now;
    }

    private void createChangelogs(KnownTopics known, int inputPartitions) {
        Set<String> found = admin.findNow(names.changelogs(config)).keySet();
        for (String topic : names.changelogs(config)) {
            if (!found.contains(topic) && known.id(topic).isPresent() && !isOfStories(topic)) {
                problems.add("topic " + topic + ": expected a part of the index of application.id "
                        + config.applicationId() + ", found none; " + START_ANEW);
            } else if (!found.contains(topic)) {
                create(topic, ownPartitions(topic, inputPartitions), ownSettings(topic));
            }
        }
        StartupException.throwIfAny(problems);
    }

    /** The index is whole without it. */
    private boolean isOfStories(String changelog) {
        return changelog.equals(names.storiesChangelog());
    }

    private void reportMadeAgain(String topic) {
        if (isOfStories(topic)) {
            admin.warn(LOG, "topic={} was deleted: the index is whole, but stories begin anew", topic);
            return;
        }
        if (!config.inputTopics().contains(topic)) {
            problems.add("topic " + topic + ": expected a part of the index of application.id " + config.applicationId()
                    + ", found another topic made under its name; " + START_ANEW);
        } else if (!config.skipsDeletedInput()) {
            problems.add(
                    "input topic " + topic + ": expected the topic that was read before, found another made under its"
                            + " name; start with --input-deleted skip to read the new one from its beginning");
        } else {
            admin.warn(LOG, "topic={} was deleted and made again: reading it from its beginning", topic);
        }
    }

    private void checkBeginnings(Map<String, FoundTopic> changelogs, boolean settingsExisted) {
        List<TopicPartition> compacted = new ArrayList<>();
        if (settingsExisted) {
            compacted.add(new TopicPartition(names.settings(), 0));
        }
        changelogs.forEach((topic, found) -> {
            if (!isOfStories(topic)) {
                compacted.addAll(ClusterAdmin.partitions(topic, found.partitions()));
            }
        });
        admin.beginnings(compacted).entrySet().stream()
                .filter(beginning -> beginning.getValue() > 0)
                .map(Map.Entry::getKey)
                .sorted(Comparator.comparing(TopicPartition::toString))
                .forEach(partition -> problems.add("topic " + partition.topic() + ", partition " + partition.partition()
                        + ": expected all that the index of application.id " + config.applicationId()
                        + " wrote, found records deleted from its beginning; " + START_ANEW));
    }

    /**
     * A watch of all topics that the service works with. It compares with what was found, so that it notices what has
     * changed since.
     *
     * @param known what was recognised: positions and state are those of these, even where the setup has others
     */
    public TopicWatch watch(Setup setup, KnownTopics known) {
        Map<String, FoundTopic> started = new HashMap<>(setup.topics());
        for (String topic : names.changelogs(config)) {
            started.put(topic, new FoundTopic(ownPartitions(topic, setup.inputPartitions()), id(topic, known)));
        }
        for (String topic : config.inputTopics()) {
            started.computeIfPresent(topic, (name, found) -> new FoundTopic(found.partitions(), id(name, known)));
        }
        return new TopicWatch(admin, started, config, setup.inputPartitions());
    }

    private static String id(String topic, KnownTopics known) {
        return known.id(topic).orElseThrow(() -> new IllegalStateException("topic " + topic + " was not recognised"));
    }

    /**
     * Creates the input and output topics that are missing, with so many partitions, that of verdicts with those of the
     * input where these are more, and that of stories compacted; else with {@code replication.factor} and the cluster's
     * defaults.
     */
    public void createGiven(int partitions) {
        int ofInput = most(admin.findNow(config.inputTopics()));
        for (String topic : missing()) {
            int wanted = topic.equals(config.verdictsTopic()) ? Math.max(partitions, ofInput) : partitions;
            boolean isCompacted = config.writesStories() && topic.equals(config.storiesTopic());
            create(
                    topic,
                    wanted,
                    isCompacted
                            ? Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT)
                            : Map.of());
        }
    }

    /** The most partitions of an input topic that is there. */
    private int most(Map<String, FoundTopic> given) {
        return config.inputTopics().stream()
                .flatMap(topic -> Stream.ofNullable(given.get(topic)))
                .mapToInt(FoundTopic::partitions)
                .max()
                .orElse(0);
    }

    private List<String> givenTopics() {
        List<String> topics = new ArrayList<>(config.inputTopics());
        topics.addAll(config.outputTopics());
        return topics;
    }

    /** All that must be there: neither a seed nor a predecessor can be made. */
    private List<String> foundTopics() {
        List<String> topics = givenTopics();
        topics.addAll(config.seedTopics());
        config.successorOf().map(TopicNames::new).ifPresent(before -> {
            topics.add(before.originalsChangelog());
            topics.add(before.settings());
            if (config.writesStories()
                    && !admin.findNow(List.of(before.storiesChangelog())).isEmpty()) {
                topics.add(before.storiesChangelog());
            }
        });
        return topics;
    }

    private void reportMissing(String topic) {
        String what = givenTopics().contains(topic)
                ? "create it (kafka-topics.sh --create --topic " + topic
                        + " --partitions 4 ...), or start with --create-topics"
                : "expected a seed (neardup.seed.topics), or a part of the index that neardup.successor.of names;"
                        + " where all of it is read, take the setting out";
        problems.add("topic " + topic + " does not exist: " + what);
    }

    // ---- topics that are inputs no more

    /**
     * Checks that all has left of the topics that were inputs and are no more. What was decided unique there and never
     * left would stay an original: later documents would be duplicates of it, and wait for what is still pending.
     */
    public void requireDrained(KnownTopics known, int coordinators) {
        SortedSet<String> removed = known.removedInputs(config);
        if (removed.isEmpty()) {
            return;
        }
        requireNoReader(removed);
        LOG.info("looking for documents that have not left, of topics that are no inputs any more topics={}", removed);
        List<Unreleased> unreleased = unreleased(names.progressChangelog(), coordinators).stream()
                .filter(found -> removed.contains(found.topic()))
                .toList();
        if (!config.forgetsRemovedInput()) {
            StartupException.throwIfAny(
                    unreleased.stream().map(Topics::undrained).toList(),
                    "Put the topic back, let nobody write to it, and take it out when it has drained; or start with"
                            + " --input-removed forget: these records are forgotten then, and duplicates that have left"
                            + " may name one of them.");
        }
        unreleased.forEach(found -> admin.warn(
                LOG,
                "forgetting documents that have not left topic={} partition={} offset.first={} documents.max={}",
                found.topic(),
                found.partition(),
                found.firstOffset(),
                found.recordsMax()));
    }

    /** Tasks that run would lose it, at which Kafka Streams 4.3.1 fails where they have read of it. */
    private void requireNoReader(Set<String> removed) {
        Set<String> read = new TreeSet<>();
        admin.committed(config.applicationId()).keySet().forEach(partition -> read.add(partition.topic()));
        read.retainAll(removed);
        if (read.isEmpty()) {
            return;
        }
        admin.assignedTopics(config, now -> Collections.disjoint(now, read)).ifPresent(read::retainAll);
        StartupException.throwIfAny(read.stream()
                .map(topic -> "topic " + topic + ": expected no instance to read it any more before it is taken out"
                        + " of neardup.input.topics, found instances that do; stop all instances first, or put it back")
                .toList());
    }

    private List<Unreleased> unreleased(String progress, int coordinators) {
        List<TopicPartition> partitions = ClusterAdmin.partitions(progress, coordinators);
        UnreleasedInput input = new UnreleasedInput();
        new CommittedRecords(StreamsSettings.clients(config), STALLED_SECONDS)
                .read(
                        Map.of(),
                        admin.ends(partitions),
                        record -> input.apply(record.partition(), record.key(), record.value()));
        return input.unreleased();
    }

    private static String undrained(Unreleased found) {
        return "topic " + found.topic() + ", partition " + found.partition()
                + ": expected all that was read to have left before the topic is taken out of neardup.input.topics,"
                + " found that at most " + found.recordsMax() + " records from offset " + found.firstOffset()
                + " on have not";
    }

    // ---- topics of the service itself

    /** But for the changelogs. */
    private List<String> ownTopics() {
        List<String> topics = names.inFlight(config);
        topics.add(names.settings());
        return topics;
    }

    /**
     * Creates those that are missing, and checks them all.
     *
     * @param before those that there were
     * @return all that there are now
     */
    private Map<String, FoundTopic> prepareOwn(Set<String> before, int inputPartitions) {
        ownTopics().stream()
                .filter(topic -> !before.contains(topic))
                .forEach(topic -> create(topic, ownPartitions(topic, inputPartitions), ownSettings(topic)));
        Map<String, FoundTopic> now = admin.findCreated(ownTopics());
        now.forEach((topic, found) -> checkPartitions(topic, ownPartitions(topic, inputPartitions), found));
        restoreSettings(settingsToRestore(before));
        return now;
    }

    private void create(String topic, int partitions, Map<String, String> settings) {
        LOG.info("creating topic={} partitions={}", topic, partitions);
        admin.create(new NewTopic(topic, Optional.of(partitions), replication()).configs(settings));
    }

    /** One an index partition for what belongs to these, one a coordinator for the rest. */
    private int ownPartitions(String topic, int inputPartitions) {
        if (topic.equals(names.settings()) || topic.equals(names.checks())) {
            return 1;
        }
        boolean isOfIndexPartitions = List.of(
                        names.lookups(), names.bucketsChangelog(), names.storyEvents(), names.storiesChangelog())
                .contains(topic);
        return isOfIndexPartitions ? config.indexPartitions() : inputPartitions;
    }

    private Map<String, String> ownSettings(String topic) {
        if (isOfStories(topic)) {
            return InternalTopics.storiesSettings(config);
        }
        if (topic.equals(names.progressChangelog())) {
            return InternalTopics.progressSettings(config);
        }
        if (topic.equals(names.settings()) || names.changelogs(config).contains(topic)) {
            return InternalTopics.compactedSettings(config);
        }
        Map<String, String> settings = new HashMap<>(InternalTopics.settings(config));
        settings.put(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_DELETE);
        boolean isOfChecks = topic.equals(names.checks());
        settings.put(TopicConfig.RETENTION_MS_CONFIG, isOfChecks ? CHECKS_RETENTION_MILLIS : "-1");
        if (isOfChecks) {
            settings.put(TopicConfig.SEGMENT_MS_CONFIG, CHECKS_RETENTION_MILLIS);
        }
        settings.put(TopicConfig.RETENTION_BYTES_CONFIG, "-1");
        settings.put(TopicConfig.SEGMENT_BYTES_CONFIG, String.valueOf(InternalTopics.SEGMENT_BYTES));
        return settings;
    }

    private Optional<Short> replication() {
        short factor = Short.parseShort(config.kafka().getOrDefault("replication.factor", "-1"));
        return factor < 0 ? Optional.empty() : Optional.of(factor);
    }

    private void checkPartitions(String topic, int wanted, FoundTopic found) {
        if (found.partitions() == wanted) {
            return;
        }
        problems.add("topic " + topic + ": expected " + wanted
                + " partitions, as the input topics or neardup.bands.partitions have, found " + found.partitions()
                + "; both are fixed for the life of an index: restore what has changed, or " + START_ANEW);
    }

    /**
     * What is not as it is to be on topics of ours, by topic, as somebody changed it, or our own settings ask for more;
     * with a warning.
     */
    private Map<String, Map<String, String>> settingsToRestore(Set<String> topics) {
        Map<String, Map<String, String>> byTopic = new TreeMap<>();
        admin.settings(topics).forEach((topic, actual) -> {
            Map<String, String> toRestore = new TreeMap<>();
            ownSettings(topic).forEach((key, wanted) -> {
                if (!suffices(key, wanted, actual)) {
                    toRestore.put(key, wanted);
                }
            });
            if (!toRestore.isEmpty()) {
                admin.warn(
                        LOG,
                        "a topic of the service has other settings than it needs, a start sets topic={} settings={}",
                        topic,
                        toRestore);
                byTopic.put(topic, toRestore);
            }
        });
        return byTopic;
    }

    /**
     * Restores settings of topics. Those of changelogs only when local state is deleted that may lack removals: a later
     * start would take it for whole.
     */
    public void restoreSettings(Map<String, Map<String, String>> byTopic) {
        byTopic.forEach(admin::change);
    }

    private static boolean suffices(String key, String wanted, Config actual) {
        return LOWER_BOUNDS.contains(key)
                ? number(actual, key) >= Long.parseLong(wanted)
                : value(actual, key).equals(wanted);
    }

    // ---- outputs

    /** Verdicts are read in the order of the input, a partition of it at a time. */
    private void checkVerdicts(Map<String, FoundTopic> given, int inputPartitions) {
        if (!config.writesVerdicts()) {
            return;
        }
        String topic = config.verdictsTopic();
        int found = Objects.requireNonNull(given.get(topic), topic).partitions();
        if (found < inputPartitions) {
            problems.add("topic " + topic + ": expected at least " + inputPartitions + " partitions, as the input ("
                    + String.join(",", config.inputTopics()) + ") has, found " + found + "; add partitions to it"
                    + " (kafka-topics.sh --alter), or set neardup.verdicts.topic to another one");
        }
        requireRoom(topic, admin.settings(topic), VerdictCodec.BYTES_MAX, "a verdict");
    }

    private void requireRoom(String topic, Config settings, int needed, String what) {
        if (bytesMax(settings) < needed) {
            problems.add("topic " + topic + ": expected a " + TopicConfig.MAX_MESSAGE_BYTES_CONFIG + " of at least "
                    + needed + ", which " + what + " may take, found " + bytesMax(settings));
        }
    }

    /** The latest revision of each story is to stay, and the rest to go. */
    private void checkStories() {
        if (!config.writesStories()) {
            return;
        }
        String topic = config.storiesTopic();
        Config settings = admin.settings(topic);
        requireRoom(topic, settings, STORY_RECORD_BYTES_MAX, "a story");
        String policy = value(settings, TopicConfig.CLEANUP_POLICY_CONFIG);
        if (!policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            problems.add("topic " + topic + ": expected the " + TopicConfig.CLEANUP_POLICY_CONFIG
                    + " compact alone, so that it keeps the latest revision of each story, found " + policy
                    + "; set it (kafka-configs.sh --alter --topic " + topic + " --add-config "
                    + TopicConfig.CLEANUP_POLICY_CONFIG + "=" + TopicConfig.CLEANUP_POLICY_COMPACT + ")");
        }
    }

    /** What the outputs of records can carry, by the settings of their topics. */
    private OutputLimits.ByOutput limits() {
        return config.writesRecords()
                ? new OutputLimits.ByOutput(
                        limits(admin.settings(config.uniqueTopic())),
                        limits(admin.settings(config.duplicatesTopic())),
                        limits(admin.settings(config.deadLetterTopic())))
                : OutputLimits.ByOutput.NONE;
    }

    /** What a topic takes of a producer of the service. */
    public static OutputLimits limits(Config found) {
        boolean ownTimestamps =
                value(found, TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG).equals("CreateTime");
        return new OutputLimits(
                Math.min(bytesMax(found), InternalTopics.REQUEST_BYTES_MAX),
                ownTimestamps ? number(found, TopicConfig.MESSAGE_TIMESTAMP_BEFORE_MAX_MS_CONFIG) : Long.MAX_VALUE,
                ownTimestamps ? number(found, TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG) : Long.MAX_VALUE,
                isCompacted(found));
    }

    /** Whether brokers take what has a later record of its key. */
    public static boolean isCompacted(Config settings) {
        return value(settings, TopicConfig.CLEANUP_POLICY_CONFIG).contains(TopicConfig.CLEANUP_POLICY_COMPACT);
    }

    public static String value(Config settings, String key) {
        return Objects.requireNonNull(settings.get(key), key).value();
    }

    static long number(Config settings, String key) {
        return Long.parseLong(value(settings, key));
    }

    /** The most bytes of a record, in a batch of its own, that a topic takes. */
    public static long bytesMax(Config settings) {
        return number(settings, TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
    }
}
