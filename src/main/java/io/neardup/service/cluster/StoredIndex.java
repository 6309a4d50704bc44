package io.neardup.service.cluster;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.neardup.config.IndexSettings;
import io.neardup.config.NeardupConfig;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.input.SeedPlan;
import io.neardup.streams.store.TopicNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;

/**
 * What the settings topic holds of an index.
 *
 * @param id distinct for each index ever made
 * @param settings that it is bound to
 * @param release that made it
 * @param hashSeed secret
 * @param topics that it has met
 * @param ownSeeds that it was made with; empty where it has a predecessor
 * @param predecessor that it was made from
 */
public record StoredIndex(
        String id,
        IndexSettings settings,
        String release,
        long hashSeed,
        KnownTopics topics,
        Optional<SeedPlan> ownSeeds,
        Optional<Predecessor> predecessor) {

    /** Of an index that was made with others, and what to look at where bands and rows differ. */
    static final String DOES_NOT_FIT =
            " does not fit these settings (bands and rows follow from threshold, recall and index size): ";

    /** The seeds that its originals may be of: its own, or those of the index that it is made from. */
    public SeedPlan seedsOfOriginals() {
        return ownSeeds.or(() -> predecessor.map(Predecessor::seeds)).orElse(SeedPlan.NONE);
    }

    /** Of these, by topic, the end of each partition. */
    public Map<String, List<Long>> seeds() {
        return seedsOfOriginals().ends();
    }

    /**
     * Whether it is unknown which documents of seeds are originals: they were compared with each other, or come from a
     * predecessor.
     */
    public boolean seedsJudged() {
        SeedPlan plan = seedsOfOriginals();
        return !plan.topics().isEmpty() && (plan.judged() || predecessor.isPresent());
    }

    /**
     * Refuses other settings than the index was made with, layouts aside: what they would find is not what the service
     * found.
     *
     * @throws StartupException that names what differs
     */
    public void requireFits(NeardupConfig config, int inputPartitions) {
        StartupException.throwIfAny(
                IndexSettings.of(config, inputPartitions, Map.of()).differences(settings),
                "The index of application.id " + config.applicationId() + DOES_NOT_FIT
                        + "give those that the service runs with (--config, --set).");
    }

    /** Whether it has read inputs that are not among these, or were made again under their names. */
    public boolean hasReadOtherInputs(NeardupConfig config) {
        InputGenerations generations = topics.generations(config);
        return !generations.removed().isEmpty()
                || generations.recreated().findAny().isPresent();
    }

    /** Of a partition of a changelog: distinct among all of all indexes, wherever they are. */
    public String changelogName(TopicPartition partition) {
        String topic = topics.id(partition.topic()).orElseThrow();
        return id + "/" + topic + "/" + partition.partition();
    }

    /** This index with these topics. */
    public StoredIndex with(KnownTopics known) {
        return new StoredIndex(id, settings, release, hashSeed, known, ownSeeds, predecessor);
    }

    /** The seed is a secret. */
    @Override
    public String toString() {
        return "StoredIndex[" + id + "]";
    }

    /**
     * The topics that an index has met. Positions in the input, and what stores are restored from, mean these alone.
     * Others that were made again under the same names are not meant.
     *
     * @param ids by topic, the ids of its generations, the present one last; never empty
     */
    public record KnownTopics(@JsonValue Map<String, List<String>> ids) {
        public static final KnownTopics NONE = new KnownTopics(Map.of());

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        public KnownTopics {
            ids = Map.copyOf(ids);
        }

        /** The id of the present generation; empty where the topic was never met. */
        public Optional<String> id(String topic) {
            return Optional.ofNullable(ids.get(topic)).map(generations -> generations.get(generations.size() - 1));
        }

        /** With this id as the present one. */
        KnownTopics with(String topic, String id) {
            if (id(topic).filter(id::equals).isPresent()) {
                return this;
            }
            Map<String, List<String>> more = new HashMap<>(ids);
            List<String> generations = new ArrayList<>(ids.getOrDefault(topic, List.of()));
            generations.add(id);
            more.put(topic, List.copyOf(generations));
            return new KnownTopics(more);
        }

        /** Those that were inputs and are no more, in the order of their names. */
        SortedSet<String> removedInputs(NeardupConfig config) {
            SortedSet<String> removed = new TreeSet<>(ids.keySet());
            removed.removeAll(config.inputTopics());
            removed.removeAll(new TopicNames(config.applicationId()).changelogs());
            return removed;
        }

        /** Which generation of each input is the present one. */
        public InputGenerations generations(NeardupConfig config) {
            Map<String, Integer> byTopic = new HashMap<>();
            ids.forEach((topic, generations) -> byTopic.put(topic, generations.size() - 1));
            byTopic.keySet().removeAll(new TopicNames(config.applicationId()).changelogs());
            return new InputGenerations(byTopic, removedInputs(config));
        }
    }
}
