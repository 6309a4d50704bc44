package io.neardup.streams.input;

import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.text.SplitMix64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * How far an index is with its seeds: one topic after the other, and none of the input before all coordinators have
 * released all of them. So whatever a document of the input meets in the buckets is there, and a coordinator gives the
 * documents of a seed lower numbers than any that come later.
 *
 * <p>Of the process: what one thread notes holds for all.
 */
public final class Seeding {
    private final SeedPlan plan;
    private final int coordinators;
    private final Set<String> inputs;

    /** By topic, an inherited seed too, then by coordinator: the number behind those of the topic's documents. */
    private final Map<String, Map<Integer, Long>> read = new HashMap<>();

    private final Optional<Predecessor> predecessor;
    private volatile Optional<Takeover> takeover = Optional.empty();
    private volatile Optional<String> current;

    /** @param inputs the topics that wait until all is seeded */
    public Seeding(SeedPlan plan, int coordinators, List<String> inputs) {
        this(plan, Optional.empty(), coordinators, inputs);
    }

    /** As if the changelog of the originals of a predecessor were a seed, of which the end is settled later. */
    public static Seeding after(Predecessor predecessor, int coordinators, List<String> inputs) {
        SeedPlan.Topic originals = new SeedPlan.Topic(predecessor.topic(), predecessor.topicId(), List.of());
        return new Seeding(new SeedPlan(List.of(originals), false), Optional.of(predecessor), coordinators, inputs);
    }

    private Seeding(SeedPlan plan, Optional<Predecessor> predecessor, int coordinators, List<String> inputs) {
        this.plan = plan;
        this.predecessor = predecessor;
        this.coordinators = coordinators;
        this.inputs = Set.copyOf(inputs);
        this.current = plan.names().stream().findFirst();
    }

    public static Seeding none() {
        return new Seeding(SeedPlan.NONE, 0, List.of());
    }

    /** How many coordinators take documents of the seeds. */
    public int coordinators() {
        return coordinators;
    }

    public SeedPlan plan() {
        return plan;
    }

    /** The index that this one is made from; empty where it is made of seeds, or from nothing. */
    public Optional<Predecessor> predecessor() {
        return predecessor;
    }

    /** What is taken over of the predecessor, once that is settled. */
    public Optional<Takeover> takeover() {
        return takeover;
    }

    /** Settles what is taken over of the predecessor; the first time counts. */
    public synchronized void settle(Takeover settled) {
        takeover = takeover.or(() -> Optional.of(settled));
    }

    /**
     * The coordinator that takes an original of the predecessor. If that has seeds, each coordinator takes from one of
     * the predecessor only, in its order: so originals of a seed come first here, too.
     */
    public int coordinatorOf(DocumentRef original) {
        if (coordinators == predecessorCoordinators()) {
            return original.coordinator();
        }
        if (inherited().isEmpty()) {
            return part(original, coordinators);
        }
        int[] taking = coordinatorsTakingFrom(original.coordinator()).toArray();
        return taking[part(original, taking.length)];
    }

    /**
     * Mixed, as often only the first few numbers of a block are used. Must never change: after a restart it is asked
     * again for the same originals.
     */
    private static int part(DocumentRef original, int parts) {
        return (int) Long.remainderUnsigned(SplitMix64.mix(original.sequence()), parts);
    }

    private int predecessorCoordinators() {
        return predecessor.map(Predecessor::coordinators).orElse(coordinators);
    }

    /** The coordinators that take originals from one of the predecessor. */
    public IntStream coordinatorsTakingFrom(int coordinatorBefore) {
        return IntStream.iterate(
                coordinatorBefore,
                coordinator -> coordinator < coordinators,
                coordinator -> coordinator + predecessorCoordinators());
    }

    /** The coordinator of the predecessor that one takes originals from; empty where it takes from all of them. */
    Optional<Integer> predecessorCoordinatorOf(int coordinator) {
        return coordinators == predecessorCoordinators() || !inherited().isEmpty()
                ? Optional.of(coordinator % predecessorCoordinators())
                : Optional.empty();
    }

    /** The seeds that originals of the predecessor may be of, in the order in which they were read. */
    public List<String> inherited() {
        return predecessor.map(before -> before.seeds().names()).orElse(List.of());
    }

    /** How many of the {@linkplain #inherited inherited} seeds end before an original of the predecessor. */
    public int seedsBefore(DocumentRef original) {
        List<Map<String, Long>> ends = predecessor.map(Predecessor::seedEnds).orElse(List.of());
        return ends.isEmpty()
                ? 0
                : (int) ends.get(original.coordinator()).values().stream()
                        .filter(end -> end <= original.sequence())
                        .count();
    }

    /** Whether originals of the predecessor may be on other coordinators than later records of their keys. */
    public boolean isSpread() {
        return predecessor.filter(before -> before.isSpreadOver(coordinators)).isPresent();
    }

    /** The topic that is being read; empty when all are. */
    public Optional<SeedPlan.Topic> current() {
        return current.flatMap(plan::topic);
    }

    public boolean isDone() {
        return current.isEmpty();
    }

    /** Whether a topic is left where it is for now. */
    boolean isClosed(String topic) {
        Optional<String> now = current;
        return inputs.contains(topic)
                ? now.isPresent()
                : !now.equals(Optional.of(topic)) && plan.topic(topic).isPresent();
    }

    /** Whether a record belongs to the seed: what came to the topic later does not. */
    public boolean includes(String topic, int partition, long offset) {
        if (predecessor.isPresent()) {
            return takeover.map(settled -> offset < settled.ends().get(partition))
                    .orElse(true);
        }
        return plan.topic(topic)
                .filter(seed -> partition < seed.ends().size())
                .filter(seed -> offset < seed.ends().get(partition))
                .isPresent();
    }

    /**
     * Notes that a coordinator has released all of a topic; the first time counts.
     *
     * @param endSequence above those of all documents of the topic, below those of all that the coordinator takes later
     */
    public synchronized void noteRead(String topic, int coordinator, long endSequence) {
        read.computeIfAbsent(topic, t -> new HashMap<>()).putIfAbsent(coordinator, endSequence);
        current =
                plan.names().stream().filter(name -> coordinatorsLeft(name) > 0).findFirst();
    }

    /** How many coordinators have not released all of a topic. */
    public synchronized int coordinatorsLeft(String topic) {
        return coordinators - read.getOrDefault(topic, Map.of()).size();
    }

    /** The seed that an original is of; empty where it is of the input. To be asked when all is seeded. */
    public synchronized Optional<String> seedOf(DocumentRef original) {
        List<String> seeds = predecessor.isPresent() ? inherited() : plan.names();
        return seeds.stream()
                .filter(topic -> original.sequence()
                        < read.getOrDefault(topic, Map.of()).getOrDefault(original.coordinator(), 0L))
                .findFirst();
    }
}
