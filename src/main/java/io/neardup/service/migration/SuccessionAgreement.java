package io.neardup.service.migration;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.KnownTopics;
import io.neardup.service.cluster.SettingsReader;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StoredIndex;
import io.neardup.service.cluster.TopicAdmin;
import io.neardup.service.cluster.TopicAdmin.FoundTopic;
import io.neardup.service.cluster.Topics;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.input.SeedPlan;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.DedupTopology;
import io.neardup.streams.topology.InternalTopics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.TopicConfig;

/** Which index another one is made from is settled once, when it is made, if it can be made from that at all. */
public final class SuccessionAgreement {
    private static final String KEY = "neardup.successor.of";

    private final NeardupConfig config;
    private final TopicAdmin admin;
    private final Map<String, Object> clients;
    private final SettingsTopic settings;

    /** @param settings of the index that is made */
    public SuccessionAgreement(
            NeardupConfig config, TopicAdmin admin, Map<String, Object> clients, SettingsTopic settings) {
        this.config = config;
        this.admin = admin;
        this.clients = clients;
        this.settings = settings;
    }

    /**
     * What an index is made from.
     *
     * @param isBound whether that was settled before
     */
    public record Agreed(Predecessor predecessor, boolean isBound) {}

    /**
     * The predecessor of the index, if it has one.
     *
     * @throws StartupException if the settings name another than it was made from, or it cannot be made from that
     */
    public Optional<Agreed> agree(Topics.Setup setup) {
        Optional<Predecessor> bound = settings.predecessor();
        Optional<String> given = config.successorOf();
        if (bound.isPresent()) {
            given.filter(id -> !id.equals(bound.get().applicationId())).ifPresent(id -> {
                throw refused(bound.get().applicationId(), id);
            });
            return Optional.of(new Agreed(bound.get(), true));
        }
        if (given.isPresent() && setup.stateExists()) {
            throw refused("none", given.get());
        }
        return given.map(id -> examine(id, setup));
    }

    private StartupException refused(String expected, String found) {
        return new StartupException(List.of(KEY + ": expected " + expected + ", as when the index of application.id "
                + config.applicationId() + " was made, found " + found
                + "; restore the setting, or start anew under another application.id"));
    }

    private Agreed examine(String id, Topics.Setup setup) {
        TopicNames names = new TopicNames(id);
        SettingsTopic topic = new SettingsTopic(config, id, clients);
        StoredIndex index = topic.find()
                .orElseThrow(() -> new StartupException(
                        List.of(KEY + ": expected the application.id of an index, found that topic " + names.settings()
                                + " holds none")));
        int coordinators = index.settings().inputPartitions();
        List<String> problems = new ArrayList<>(index.settings().successorProblems(config, setup.inputPartitions()));
        checkInputs(topic.topics(), names, setup, problems);
        checkSize(names.originalsChangelog(), problems);
        requireInput(id);
        checkScopes(id, index, problems);
        index.settings().unreadLayouts(DedupTopology.layouts()).stream()
                .filter(line -> line.startsWith("layout.state"))
                .forEach(problems::add);
        if (!problems.isEmpty()) {
            problems.add("The index of application.id " + id + " cannot become one of these settings: give those that"
                    + " it was made with, or start anew from the input, without " + KEY + ".");
            throw new StartupException(problems);
        }
        SeedPlan seeds = topic.seedsOfOriginals();
        FoundTopic originals = Objects.requireNonNull(setup.topics().get(names.originalsChangelog()), "originals");
        Predecessor predecessor = new Predecessor(
                id,
                index.id(),
                coordinators,
                names.originalsChangelog(),
                originals.id(),
                topic.predecessor()
                        .filter(its -> its.isSpreadOver(coordinators))
                        .isPresent(),
                seeds,
                seedEnds(id, coordinators, seeds.names()));
        return new Agreed(predecessor, false);
    }

    /**
     * By coordinator, as {@link Predecessor#seedEnds}. Until all is seeded it is not known which originals are of a
     * seed.
     */
    private List<Map<String, Long>> seedEnds(String id, int coordinators, List<String> seeds) {
        List<Map<String, Long>> ends = new ArrayList<>();
        IntStream.range(0, coordinators).forEach(coordinator -> ends.add(new HashMap<>()));
        SettingsReader reader = new SettingsReader(admin, new TopicNames(id), clients);
        reader.listen(record -> SeedWatch.read(record)
                .filter(read -> seeds.contains(read.topic()))
                .ifPresent(read -> ends.get(read.coordinator()).putIfAbsent(read.topic(), read.endSequence())));
        reader.catchUp();
        if (ends.stream().anyMatch(ofCoordinator -> !ofCoordinator.keySet().containsAll(seeds))) {
            throw new StartupException(List.of(KEY + ": expected an index that has read all of its seeds, found that "
                    + id + " still reads " + String.join(",", seeds) + "; start again when " + id + " is ready"));
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
                    + ", as the predecessor keeps scopes as hashes under its" + " secret seed, found "
                    + config.hashSeedOf().map("of:"::concat).orElse("none"));
        }
    }

    /** The positions at which it takes over are of these very topics. */
    private void checkInputs(KnownTopics known, TopicNames names, Topics.Setup setup, List<String> problems) {
        for (String input : config.inputTopics()) {
            String now =
                    Objects.requireNonNull(setup.topics().get(input), input).id();
            if (known.id(input).filter(now::equals).isEmpty()) {
                TreeSet<String> read = new TreeSet<>(known.ids().keySet());
                read.removeAll(names.changelogs());
                problems.add("neardup.input.topics: expected topics that the predecessor reads, " + read + ", found "
                        + input
                        + (read.contains(input) ? ", made again under its name" : ""));
            }
        }
    }

    private void checkSize(String changelog, List<String> problems) {
        long bytes = Long.parseLong(Topics.value(
                Objects.requireNonNull(admin.settings(List.of(changelog)).get(changelog), changelog),
                TopicConfig.MAX_MESSAGE_BYTES_CONFIG));
        long most = InternalTopics.recordBytesMax(config);
        if (bytes > most) {
            problems.add("neardup.document.bytes.max: expected no less than the predecessor has, found "
                    + config.documentBytesMax() + ", with which records of " + most + " bytes are carried, of at most "
                    + bytes + " that it keeps");
        }
    }

    private void requireInput(String id) {
        CutoverCourse course = new CutoverCourse();
        SettingsReader reader = new SettingsReader(admin, new TopicNames(id), clients);
        reader.listen(course);
        reader.catchUp();
        PredecessorWatch.taker(course.now())
                .filter(other -> !other.equals(config.applicationId()))
                .ifPresent(other -> {
                    throw lost(config, id, other);
                });
    }

    /** Another index has taken over what this one follows. */
    static StartupException lost(NeardupConfig config, String id, String other) {
        return new StartupException(List.of(KEY + ": expected an index that keeps its input until "
                + config.applicationId()
                + " takes it over, found that " + id + " hands it over to " + other + ", for good: delete what there is"
                + " of " + config.applicationId() + " with reset, and make an index of another application.id with "
                + KEY + "=" + other));
    }

    /**
     * Until all is taken over, the predecessor must be named, and there as it was.
     *
     * @throws StartupException if it is not
     */
    public void requireRest(Seeding seeding, Predecessor predecessor, Topics.Setup setup) {
        if (seeding.isDone()) {
            return;
        }
        if (config.successorOf().isEmpty()) {
            throw refused(predecessor.applicationId(), "none, before all was taken over");
        }
        String index = new SettingsTopic(config, predecessor.applicationId(), clients)
                .find()
                .map(StoredIndex::id)
                .orElse("none");
        FoundTopic originals = Objects.requireNonNull(setup.topics().get(predecessor.topic()), predecessor.topic());
        if (!index.equals(predecessor.index()) || !originals.id().equals(predecessor.topicId())) {
            throw new StartupException(List.of(KEY + ": expected the index that this one was begun from, "
                    + predecessor.applicationId() + ", found another made under its name before all of it was taken"
                    + " over; start anew under another application.id"));
        }
        requireInput(predecessor.applicationId());
    }
}
