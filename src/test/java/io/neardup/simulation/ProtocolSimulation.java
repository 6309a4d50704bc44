package io.neardup.simulation;

import io.neardup.engine.protocol.BandIndex;
import io.neardup.engine.protocol.CoordinatorCounts;
import io.neardup.engine.protocol.CoordinatorRules;
import io.neardup.engine.protocol.CoordinatorRules.Retention;
import io.neardup.engine.protocol.CoordinatorRules.Slice;
import io.neardup.engine.protocol.CoordinatorRules.StepBounds;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.Decision;
import io.neardup.engine.protocol.DocumentCoordinator;
import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import io.neardup.engine.protocol.DocumentCoordinator.Outbox;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Message;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.Message.ToCoordinator;
import io.neardup.engine.protocol.Message.ToIndex;
import io.neardup.engine.protocol.MigrationSource;
import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.engine.protocol.Origin;
import io.neardup.engine.protocol.Original;
import io.neardup.engine.protocol.Partitions;
import io.neardup.engine.protocol.PredecessorChange;
import io.neardup.engine.protocol.Provenance;
import io.neardup.engine.protocol.RecordKey;
import io.neardup.simulation.Invariants.Input;
import io.neardup.simulation.Invariants.Release;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.Cutover.CutoverStage;
import io.neardup.streams.store.CutoverEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Coordinators and index partitions under a random schedule. Each works in transactions, as on Kafka: what it consumed,
 * sent, released and changed takes effect at its commit, and a crash takes all of it back to the last one. There is one
 * channel a sender and receiver, and any may deliver next; a message can be lost, or delivered again later. A
 * coordinator that starts again reads its input again from where it says, with another clock; the records of two topics
 * may then come in another order. In some runs a document may ask few candidates, a coordinator verifies few, or a
 * bucket takes few documents: where one is truncated, a match may be missed, and is marked; but not among
 * many copies, of which one is found by all, whether its first is an original by then or comes with the rest.
 *
 * <p>In some runs somebody asks for a cutover. Then there is a second index beside the first, with coordinators, index
 * partitions, losses and crashes of its own, to which the same documents are alike in another way: it follows the
 * originals of the first, and takes the rest of the input from where that has stopped.
 */
final class ProtocolSimulation {
    private static final int FULL_EVERY = 8;
    private static final int WIPED_EVERY = 6;
    private static final int STEPS_TO_WIPE_MAX = 200;
    private static final int SEEDED_EVERY = 5;
    private static final String SEEDS = "seeds";
    private static final int FOLLOWS_EVERY = 2;
    private static final int ROUNDS_MAX = 400;
    private static final int HOPS_MAX = 30;
    private static final int UNJUDGED_EVERY = 8;
    private static final int CLOCK_SKEW_MILLIS = 100;
    private static final long FIRST_TIMESTAMP = 900_000;

    private final Random random;
    private final SimulationSettings settings;
    private final Corpus corpus;
    private final Partitions partitions;
    private final CoordinatorRules rules;
    private final List<CoordinatorNode> coordinators = new ArrayList<>();
    private final List<BandNode> bands = new ArrayList<>();
    private final Map<Channel, Deque<Message>> channels = new LinkedHashMap<>();
    private final List<Input> inputs = new ArrayList<>();
    private final Map<Integer, Input> seedInputs = new TreeMap<>();
    /** Of the records that are not judged, the tombstones of record keys. */
    private final Set<Integer> tombstones = new HashSet<>();
    /** Documents that the output cannot carry any more, whatever was decided on them. */
    private final Set<Integer> unfit = new HashSet<>();
    /** By document. */
    private final List<Origin> origins = new ArrayList<>();

    /** The documents by what their coordinators call them. */
    private final Map<DocumentRef, Integer> refs = new HashMap<>();

    /** The first documents are of a seed; of other chances than the rest, so that a run is as it was without them. */
    private final int seeds;

    private final boolean areSeedsJudged;

    private final SimulatedCutover cutover;

    /** What came before the coordinators handed their inputs over, and what is left. */
    private final List<Input> uncut;

    /** Takes over what this index leaves; null where nothing is to be left. */
    private final @Nullable ProtocolSimulation successor;

    /** What had expired of the predecessor when this index took over, removed there or not. */
    private final Set<Integer> expiredBefore = new HashSet<>();

    /** What this index learns of its predecessor; null where it succeeds none. */
    private final @Nullable SimulatedPredecessor predecessor;

    /** Chances of their own for when all messages are lost, so that other runs are as they were without that. */
    private final Random ofWipes;

    private final boolean mayWipe;
    private int stepsToWipe;

    private final Set<Disturbance> disturbances = EnumSet.noneOf(Disturbance.class);

    /** All documents come at once, and all messages between two commits. */
    private final boolean isInStep;

    private boolean isSeeded;
    private int crashesLeft;
    private long nowMillis = 1_000_000;

    private record Channel(Node sender, Node receiver) {}

    private record Consumed(Channel channel, Message message) {}

    /** @param seed negative for a {@linkplain SimulationSettings#crashing crashing} run */
    ProtocolSimulation(long seed) {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        SimulationSettings drawn = SimulationSettings.draw(random);
        SimulationSettings some = seed < 0 ? drawn.crashing() : drawn;
        // Of other chances, so that all other runs are as they were without these.
        Random ofFullBuckets = new Random(seed * 0xD1B5_4A32_D192_ED03L);
        settings = ofFullBuckets.nextInt(FULL_EVERY) == 0
                ? some.withFullBuckets(ofFullBuckets).withUnlikeTexts(ofFullBuckets)
                : some;
        isInStep = settings.areCopies() && ofFullBuckets.nextBoolean();
        rules = drawRules();
        corpus = drawCorpus();
        partitions = new Partitions(settings.indexPartitions, settings.bands);
        crashesLeft = settings.crashes;
        Random ofSeeds = new Random(~seed);
        seeds = !settings.areCopies() && ofSeeds.nextInt(SEEDED_EVERY) == 0 ? 1 + ofSeeds.nextInt(corpus.size()) : 0;
        areSeedsJudged = ofSeeds.nextInt(4) == 0;
        cutover = new SimulatedCutover(ofSeeds, settings.coordinators, !settings.areCopies());
        predecessor = null;
        ofWipes = new Random(seed * 0xA24B_AED4_963E_E407L);
        mayWipe = !settings.areCopies() && ofWipes.nextInt(WIPED_EVERY) == 0;
        stepsToWipe = 1 + ofWipes.nextInt(STEPS_TO_WIPE_MAX);
        for (int coordinator = 0; coordinator < settings.coordinators; coordinator++) {
            for (int topic = 0; topic < settings.topics; topic++) {
                inputs.add(new Input(coordinator, "t" + topic, new ArrayList<>()));
            }
        }
        addNodes();
        for (int document = 0; document < corpus.size(); document++) {
            Input arrival = inputs.get(random.nextInt(inputs.size()));
            List<Integer> records = document < seeds ? seedsOf(arrival.coordinator()) : arrival.records();
            records.add(document);
            if (random.nextInt(UNJUDGED_EVERY) == 0) {
                records.add(-1 - document);
            } else if (random.nextDouble() < settings.tombstones) {
                records.add(-1 - document);
                tombstones.add(-1 - document);
            }
            origins.add(new Origin(
                    random.nextInt(4) == 0 ? null : new RecordKey(0, random.nextInt(settings.recordKeys)),
                    drawTimestamp(document),
                    Invariants.provenance(document)));
        }
        inputs.addAll(0, seedInputs.values());
        uncut = List.copyOf(inputs);
        successor = cutover.isMeant() ? new ProtocolSimulation(new Random(~seed * 31), this) : null;
    }

    /** An index that takes over: it learns of the originals of another, and then takes the rest of its input. */
    private ProtocolSimulation(Random random, ProtocolSimulation before) {
        this.random = random;
        settings = before.settings.ofSuccessor(SimulationSettings.drawDocuments(random));
        isInStep = false;
        rules = drawRules();
        corpus = drawCorpus().withIdsOf(before.corpus);
        partitions = new Partitions(settings.indexPartitions, settings.bands);
        crashesLeft = settings.crashes;
        seeds = 0;
        areSeedsJudged = true;
        cutover = new SimulatedCutover(random, settings.coordinators, false);
        predecessor = new SimulatedPredecessor(corpus, settings.coordinators);
        ofWipes = before.ofWipes;
        mayWipe = before.mayWipe;
        stepsToWipe = 1 + ofWipes.nextInt(STEPS_TO_WIPE_MAX);
        tombstones.addAll(before.tombstones);
        origins.addAll(before.origins);
        inputs.addAll(predecessor.inputs());
        before.uncut.stream().filter(input -> !input.topic().equals(SEEDS)).forEach(inputs::add);
        addNodes();
        List<Input> all = new ArrayList<>(before.seedInputs.values());
        all.addAll(inputs);
        uncut = List.copyOf(all);
        successor = null;
    }

    private CoordinatorRules drawRules() {
        return new CoordinatorRules(
                Corpus.THRESHOLD,
                settings.sketches.verifiedMax(),
                settings.sketches.differencesMax(),
                new Retention(settings.retentionMillis, settings.refresh),
                settings.versions,
                new StepBounds(
                        1_000,
                        new Slice(1 + random.nextInt(3), Long.MAX_VALUE),
                        settings.verifiedBytes,
                        settings.sketchesMax),
                true,
                !settings.refresh);
    }

    private Corpus drawCorpus() {
        return settings.areCopies()
                ? Corpus.ofCopies(random, settings.documents, settings.bands, settings.texts, settings.areTextsUnlike)
                : Corpus.atRandom(
                        random,
                        settings.documents,
                        settings.bands,
                        settings.density,
                        settings.buckets,
                        settings.sketches.values(),
                        settings.sketches.differencesMax());
    }

    private void addNodes() {
        for (int coordinator = 0; coordinator < settings.coordinators; coordinator++) {
            coordinators.add(new CoordinatorNode(coordinator));
        }
        for (int w = 0; w < settings.indexPartitions; w++) {
            bands.add(new BandNode(w));
        }
    }

    /** The seeds of a coordinator, before all its topics. */
    private List<Integer> seedsOf(int coordinator) {
        return seedInputs
                .computeIfAbsent(coordinator, h -> new Input(h, SEEDS, new ArrayList<>()))
                .records();
    }

    /** Mostly in order; now and then absurd. */
    private long drawTimestamp(int document) {
        return switch (random.nextInt(12)) {
            case 0 -> 0;
            case 1 -> Long.MAX_VALUE;
            default -> FIRST_TIMESTAMP + 50L * document + random.nextInt(60);
        };
    }

    SimulationSettings settings() {
        return settings;
    }

    /** What the run has met. */
    Set<Disturbance> disturbances() {
        return Set.copyOf(disturbances);
    }

    private boolean met(Disturbance... any) {
        return Stream.of(any).anyMatch(disturbances::contains);
    }

    /** What left, of all coordinators. */
    private Stream<Release> released() {
        return coordinators.stream().flatMap(coordinator -> coordinator.released.stream());
    }

    private boolean losesNothing() {
        return settings.loss == 0 && !met(Disturbance.ALL_MESSAGES_LOST);
    }

    /** Notes where what runs makes a coordinator forget originals. */
    private void noteForgetting(DocumentCoordinator<Integer> coordinator, Disturbance why, Runnable run) {
        long before = coordinator.counts().forgotten();
        run.run();
        if (coordinator.counts().forgotten() > before) {
            disturbances.add(why);
        }
    }

    /** Runs to the end and returns what promise was broken, if any. */
    Optional<String> run() {
        if (settings.areCopies() && random.nextBoolean()) {
            decideTheFirst();
        }
        if (isInStep && !isDecidedInStep()) {
            return Optional.of("hops: " + held() + " documents wait after " + HOPS_MAX + " commits");
        }
        int rounds = 0;
        while (!isDone()) {
            followNowAndThen();
            if (step()) {
                continue;
            }
            commitAll();
            if (moves().isEmpty() && !isDone() && !learnOfCutover() && moves().isEmpty()) {
                if (losesNothing()) {
                    return Optional.of("waiting: " + held() + " documents wait though no message was lost");
                }
                if (++rounds > ROUNDS_MAX) {
                    return Optional.of("stuck: " + held() + " documents are never decided");
                }
                nowMillis += 400_000;
                coordinators.forEach(CoordinatorNode::askAgain);
            }
        }
        cutInputs();
        endPredecessor();
        List<List<Release>> releases =
                coordinators.stream().map(coordinator -> coordinator.released).toList();
        coordinators.forEach(CoordinatorNode::expireAll);
        deliverAll();
        Invariants invariants = new Invariants(
                corpus,
                inputs,
                releases,
                settings.versions,
                areSeedsJudged ? 0 : seeds,
                history(),
                predecessor == null ? Set.of() : predecessor.inherited(),
                predecessor == null ? Set.of() : predecessor.marked());
        boolean sequential = settings.promisesSequentialOutcome()
                && predecessor == null
                && !met(Disturbance.CANDIDATE_OUTRANKED, Disturbance.ALL_MESSAGES_LOST)
                && (settings.areCopies() || !met(Disturbance.CANDIDATE_TRUNCATED, Disturbance.BUCKET_FULL));
        return invariants
                .violation(settings.areCopies(), sequential, originals())
                .or(() -> settings.promisesUniqueVersions() && seeds == 0 && predecessor == null
                        ? invariants.uniqueVersions()
                        : Optional.empty())
                .or(this::tombstoneViolation)
                .or(this::judgedDespiteTombstoneViolation)
                .or(this::expiryViolation)
                .or(this::forgottenViolation)
                .or(this::withdrawalViolation)
                .or(this::decisionViolation)
                .or(this::versionsViolation)
                .or(this::handoverViolation)
                .or(() -> cutover.isAsked() ? Optional.empty() : indexViolation(indexed()))
                .or(this::sketchViolation)
                .or(this::strayViolation)
                .or(this::succession);
    }

    // ---- cutover

    /** The successor works while this index does, by a clock of its own that is not behind. */
    private void followNowAndThen() {
        if (successor != null && cutover.random().nextInt(FOLLOWS_EVERY) == 0) {
            successor.nowMillis = Math.max(successor.nowMillis, nowMillis);
            successor.step();
        }
    }

    /** From now on nothing is reported: the successor begins where this index has stopped. */
    private void endPredecessor() {
        if (successor != null && cutover.isAsked()) {
            successor.succeed(
                    cutover.now(),
                    coordinators.stream()
                            .map(coordinator -> coordinator.committed.copy())
                            .toList());
        }
    }

    private void succeed(Cutover before, List<SimulatedCoordinatorState> states) {
        disturbances.add(Disturbance.TAKEN_OVER);
        Objects.requireNonNull(predecessor).end(before, states);
        for (int coordinator = 0; coordinator < states.size(); coordinator++) {
            long expiredMax =
                    expiredMax(Objects.requireNonNull(before.eventMillis().get(coordinator)));
            SimulatedCoordinatorState state = states.get(coordinator);
            state.originals().entrySet().stream()
                    .filter(known -> lastSeen(state, known) <= expiredMax)
                    .forEach(known -> expiredBefore.add(corpus.document(known.getValue())));
        }
        inputs.replaceAll(input -> input.topic().equals(SimulatedPredecessor.TOPIC)
                ? input
                : input.part(fixed(input, before), input.records().size()));
    }

    /** What the successor does, when this index is done and has kept its promises. */
    private Optional<String> succession() {
        if (successor == null || !cutover.isAsked()) {
            return Optional.empty();
        }
        Set<Integer> unique = released()
                .filter(release -> !(release.decision() instanceof Decision.Duplicate))
                .map(Release::document)
                .collect(Collectors.toSet());
        Optional<String> violation = Objects.requireNonNull(successor.predecessor).inherited().stream()
                .filter(document -> !unique.contains(document))
                .findFirst()
                .map(document -> "valid-reference: " + document + " was reported as an original, and is none")
                .or(successor::run)
                .or(successor::takeoverViolation);
        disturbances.addAll(successor.disturbances);
        return violation.map(found -> found.replaceFirst(": ", ": the successor: "));
    }

    /** What was reported in the end is what it has taken over, but for what has changed since then. */
    private Optional<String> takeoverViolation() {
        Map<Integer, Long> last = Objects.requireNonNull(predecessor).last();
        Set<Integer> originals = originals();
        Set<Integer> ownUnique = released()
                .filter(release -> release.decision() instanceof Decision.Unique)
                .map(Release::document)
                .collect(Collectors.toSet());
        boolean mayForget = settings.retentionMillis != Long.MAX_VALUE || settings.versions == Versions.REPLACE;
        return originals.stream()
                .filter(document -> !last.containsKey(document) && !ownUnique.contains(document))
                .findFirst()
                .map(document -> "takeover: " + document + " was removed, and is an original still")
                .or(() -> released()
                        .filter(release -> named(release.decision()).map(refs::get).stream()
                                .anyMatch(expiredBefore::contains))
                        .findFirst()
                        .map(release -> "takeover: " + release + " names what had expired before"))
                .or(() -> last.keySet().stream()
                        .filter(document -> !mayForget && !originals.contains(document) && !mayHaveTombstone(document))
                        .findFirst()
                        .map(document -> "takeover: " + document + " was an original in the end, and is none"))
                .or(() -> coordinators.stream()
                        .flatMap(coordinator -> coordinator.repeatsLost(last).stream())
                        .findFirst()
                        .map(document -> "takeover: nobody knows that " + document + " was repeated"));
    }

    /** The inputs from their beginnings on to where they were read. */
    private List<Input> history() {
        return predecessor == null ? inputs : uncut;
    }

    /** All coordinators look at what is asked by now; false if nothing follows. */
    private boolean learnOfCutover() {
        boolean any = false;
        if (cutover.isAsked()) {
            for (CoordinatorNode coordinator : coordinators) {
                any |= coordinator.heedAll();
            }
            commitAll();
        }
        return any;
    }

    /** From now on the inputs are what the coordinators took, and the rest is left to the successor. */
    private void cutInputs() {
        if (cutover.isAsked()) {
            disturbances.add(Disturbance.HANDED_OVER);
            inputs.replaceAll(
                    input -> input.topic().equals(SEEDS) ? input : input.part(0, fixed(input, cutover.now())));
        }
    }

    private static int fixed(Input input, Cutover cutover) {
        Map<String, Long> positions = Objects.requireNonNull(cutover.positions().get(input.coordinator()));
        return (int) Math.max(0, Objects.requireNonNull(positions.get(input.topic())));
    }

    /**
     * The successor takes the originals over when all coordinators are empty: none of them may be what it is yet to
     * judge.
     */
    private Optional<String> handoverViolation() {
        if (!cutover.isAsked()) {
            return Optional.empty();
        }
        Set<Integer> taken = new HashSet<>();
        inputs.forEach(input -> taken.addAll(input.records()));
        boolean mayExpire = settings.retentionMillis != Long.MAX_VALUE;
        for (CoordinatorNode coordinator : coordinators) {
            Optional<Integer> left = coordinator.handedOver.stream()
                    .filter(document -> !taken.contains(document))
                    .findFirst();
            if (left.isPresent()) {
                return Optional.of("handover: " + left.get() + " is an original, and left to the successor");
            }
            if (!mayExpire && !coordinator.handedOver.equals(coordinator.originals())) {
                return Optional.of("handover: originals of " + coordinator.coordinator + " were "
                        + coordinator.handedOver + " when it was empty, and are " + coordinator.originals());
            }
        }
        return Optional.empty();
    }

    /** What is no original any more leaves no sketch. */
    private Optional<String> sketchViolation() {
        return coordinators.stream()
                .filter(coordinator -> coordinator.role.counts().sketches()
                        > coordinator.state.originals().size())
                .findFirst()
                .map(coordinator -> "sketches: " + coordinator.role.counts().sketches() + " at hand in "
                        + coordinator.coordinator + ", originals are "
                        + coordinator.state.originals().keySet());
    }

    private void decideTheFirst() {
        CoordinatorNode coordinator = coordinators.get(random.nextInt(coordinators.size()));
        coordinator.inputs().stream()
                .filter(input -> !input.records().isEmpty())
                .findFirst()
                .ifPresent(input -> {
                    coordinator.take(input);
                    deliverAll();
                });
    }

    /** The documents that are originals in the end; what has expired behind a younger one is still to be removed. */
    private Set<Integer> originals() {
        Set<Integer> originals = new HashSet<>();
        coordinators.forEach(coordinator -> coordinator.state.originals().entrySet().stream()
                .filter(known -> !coordinator.isExpired(known))
                .forEach(known -> originals.add(corpus.document(known.getValue()))));
        return originals;
    }

    /** What left as none is no original, and is a document only where the output cannot carry it. */
    private Optional<String> withdrawalViolation() {
        Set<Integer> originals = originals();
        return released()
                .filter(release -> release.decision() instanceof Decision.Unjudged)
                .map(Release::document)
                .filter(document -> originals.contains(document) || (document >= 0 && !unfit.contains(document)))
                .findFirst()
                .map(document -> "withdrawn: " + document + " is an original still, or should be judged");
    }

    /** No decision stays noted of what has left, which is all in the end. */
    private Optional<String> decisionViolation() {
        return coordinators.stream()
                .filter(coordinator -> coordinator.state.decisions() > 0)
                .findFirst()
                .map(coordinator -> "decisions: " + coordinator.coordinator + " still has one that is noted");
    }

    /** Of the versions of a document, one coordinator has one original at the most. */
    private Optional<String> versionsViolation() {
        for (CoordinatorNode coordinator : coordinators) {
            Set<String> ids = new HashSet<>();
            for (Map.Entry<DocumentRef, Original> known :
                    coordinator.state.originals().entrySet()) {
                String id = known.getValue().document().id();
                if (settings.versions == Versions.REPLACE && !coordinator.isExpired(known) && !ids.add(id)) {
                    return Optional.of("versions: " + id + " is an original twice in " + coordinator.coordinator);
                }
            }
        }
        return Optional.empty();
    }

    /** By event time. */
    private long lastSeen(SimulatedCoordinatorState state, Map.Entry<DocumentRef, Original> known) {
        long repeatedMillis = settings.refresh ? state.lastRepeated(known.getKey()) : 0;
        return Math.max(known.getValue().origin().timestampMillis(), repeatedMillis);
    }

    private long expiredMax(long eventMillis) {
        return settings.retentionMillis == Long.MAX_VALUE ? -1 : eventMillis - settings.retentionMillis;
    }

    private int indexed() {
        return coordinators.stream()
                .mapToInt(coordinator -> coordinator.state.originals().size())
                .sum();
    }

    /** Behind a younger one an expired one may stay. */
    private Optional<String> expiryViolation() {
        return coordinators.stream()
                .flatMap(coordinator -> coordinator.state.originals().entrySet().stream()
                        .limit(1)
                        .filter(coordinator::isExpired))
                .findFirst()
                .map(first -> "expired: " + first + " is an original still");
    }

    /**
     * Without retention and new versions, a unique document of which no tombstone can have come later stays an
     * original.
     */
    private Optional<String> forgottenViolation() {
        if (settings.retentionMillis != Long.MAX_VALUE || settings.versions == Versions.REPLACE) {
            return Optional.empty();
        }
        Set<Integer> originals = originals();
        return released()
                .filter(release -> release.decision() instanceof Decision.Unique)
                .map(Release::document)
                .filter(document -> !originals.contains(document) && !mayHaveTombstone(document))
                .findFirst()
                .map(document -> "forgotten: " + document + " is no original, and nothing removed it");
    }

    /** By a tombstone that was read or left behind it; of what a predecessor took, by any of its coordinator. */
    private boolean mayHaveTombstone(int document) {
        RecordKey key = origins.get(document).key();
        Input own = uncut.stream()
                .filter(input -> input.records().contains(document))
                .findFirst()
                .orElseThrow();
        return coordinators.get(own.coordinator()).orders().stream()
                .flatMap(records -> records.stream().skip(Math.max(0, records.indexOf(document))))
                .anyMatch(record -> tombstones.contains(record) && keyOf(record).equals(key));
    }

    /**
     * Of an input, and whatever topics the two are of: what is read before a tombstone of its key, at first, and what
     * leaves before it is no original any more.
     */
    private Optional<String> tombstoneViolation() {
        Set<Integer> originals = originals();
        List<List<Integer>> orders = new ArrayList<>();
        history().forEach(input -> orders.add(input.records()));
        coordinators.forEach(coordinator -> orders.addAll(coordinator.orders()));
        for (List<Integer> records : orders) {
            Set<RecordKey> keysOfTombstones = new HashSet<>();
            for (int i = records.size() - 1; i >= 0; i--) {
                int record = records.get(i);
                if (tombstones.contains(record)) {
                    keysOfTombstones.add(keyOf(record));
                } else if (originals.contains(record)
                        && keysOfTombstones.contains(origins.get(record).key())) {
                    return Optional.of(
                            "tombstone: " + record + " is an original still, and came before it in " + records);
                }
            }
        }
        return Optional.empty();
    }

    /** The original that a duplicate repeats, or to which a unique document was nearest. */
    private static Optional<DocumentRef> named(Decision decision) {
        if (decision instanceof Decision.Unique unique) {
            return Optional.ofNullable(unique.nearestBelow()).map(Neighbour::ref);
        }
        return decision instanceof Decision.Duplicate duplicate ? Optional.of(duplicate.original()) : Optional.empty();
    }

    /** Nothing behind a tombstone names an original that it removes, removed yet or not. */
    private Optional<String> judgedDespiteTombstoneViolation() {
        return released()
                .filter(release -> named(release.decision())
                        .filter(original -> liesBetween(original, release.document()))
                        .isPresent())
                .findFirst()
                .map(release -> "tombstone: " + release + " names what had a tombstone before it");
    }

    /** Whether a tombstone of an original lies between it and a document of the same input. */
    private boolean liesBetween(DocumentRef originalRef, int document) {
        int original = Objects.requireNonNull(refs.get(originalRef));
        RecordKey key = origins.get(original).key();
        return history().stream().map(Input::records).anyMatch(records -> {
            int from = records.indexOf(original);
            int to = records.indexOf(document);
            return from >= 0
                    && from < to
                    && records.subList(from, to).stream()
                            .anyMatch(record ->
                                    tombstones.contains(record) && keyOf(record).equals(key));
        });
    }

    /** A tombstone has the key of the document that it follows, or of none. */
    private RecordKey keyOf(int tombstone) {
        RecordKey key = origins.get(-1 - tombstone).key();
        return key == null ? new RecordKey(1, 1) : key;
    }

    /** The buckets must end with the originals alone; a lookup that is delivered again after a remove may undo it. */
    private Optional<String> indexViolation(int originals) {
        return bands.stream()
                .filter(band -> settings.repeats == 0
                        && !met(Disturbance.BUCKET_FULL)
                        && hasOthers(band, originals)
                        && settings.indexPartitions <= settings.bands)
                .findFirst()
                .map(band -> "index: " + band.state.size() + " documents in " + band.indexPartition + ", expected "
                        + originals);
    }

    /**
     * What the loss of a removal left in the buckets leaves them as others meet it there: here documents with the same
     * keys, after a restart, as a coordinator knows its duplicates of late.
     */
    private Optional<String> strayViolation() {
        boolean areAllMet = settings.loss == 0
                && settings.candidatesMax > SimulationSettings.CAP_MAX
                && settings.sketches.verifiedMax() > SimulationSettings.CAP_MAX
                && settings.versions == Versions.COMPARE
                && !met(Disturbance.CANDIDATE_TRUNCATED, Disturbance.CANDIDATE_OUTRANKED)
                && predecessor == null
                && !cutover.isAsked();
        if (!areAllMet || !met(Disturbance.ALL_MESSAGES_LOST)) {
            return Optional.empty();
        }
        coordinators.forEach(Node::crash);
        Set<DocumentRef> strays = strays();
        strays.forEach(stray -> coordinators.get(0).meet(Objects.requireNonNull(refs.get(stray))));
        if (!strays.isEmpty()) {
            disturbances.add(Disturbance.STRAY_DROPPED);
        }
        return strays().stream()
                .filter(strays::contains)
                .findFirst()
                .map(stray -> "stray: " + stray + " is in buckets still, where another met it");
    }

    /** The documents in buckets that are no originals. */
    private Set<DocumentRef> strays() {
        Set<DocumentRef> strays = new TreeSet<>();
        bands.forEach(band -> strays.addAll(band.state.documents()));
        coordinators.forEach(
                coordinator -> strays.removeAll(coordinator.state.originals().keySet()));
        return strays;
    }

    /** Where removals were lost, the buckets have more than the originals. */
    private boolean hasOthers(BandNode band, int originals) {
        return met(Disturbance.ALL_MESSAGES_LOST)
                ? coordinators.stream().anyMatch(coordinator -> !band.state
                        .documents()
                        .containsAll(coordinator.state.originals().keySet()))
                : band.state.size() != originals;
    }

    private void deliverAll() {
        commitAll();
        while (!noMessages()) {
            deliverOneOfEach();
            commitAll();
        }
    }

    private void deliverOneOfEach() {
        new ArrayList<>(channels.entrySet()).forEach(entry -> {
            if (!entry.getValue().isEmpty()) {
                deliver(entry.getKey(), entry.getValue());
            }
        });
    }

    /** Whether copies that come at once are decided within a few commits, however many wait for each other. */
    private boolean isDecidedInStep() {
        for (CoordinatorNode coordinator : coordinators) {
            for (Input input : coordinator.inputs()) {
                while (coordinator.position(input) < input.records().size()) {
                    coordinator.take(input);
                }
            }
        }
        commitAll();
        int hops = 0;
        while (!noMessages() && hops < HOPS_MAX) {
            while (!noMessages()) {
                deliverOneOfEach();
            }
            commitAll();
            hops++;
        }
        return noMessages();
    }

    /** One random event; false if nothing arrives and nothing is under way. */
    private boolean step() {
        nowMillis += random.nextInt(3);
        if (cutover.step()) {
            disturbances.add(Disturbance.CUTOVER_ASKED_AGAIN);
        }
        if (cutover.isAsked()) {
            coordinators.get(cutover.random().nextInt(coordinators.size())).heedNowAndThen();
        }
        if (mayWipe && --stepsToWipe == 0) {
            loseAllMessages();
        }
        Node node = randomNode();
        double drawn = random.nextDouble();
        if (drawn < 0.04 && crashesLeft > 0) {
            crashesLeft--;
            node.crash();
        } else if (drawn < 0.20) {
            node.commit();
        } else if (drawn < 0.25) {
            coordinators.get(random.nextInt(coordinators.size())).expire();
        } else if (drawn < 0.26) {
            coordinators.get(random.nextInt(coordinators.size())).verifyMore();
        } else if (drawn < 0.28 && !losesNothing()) {
            nowMillis += 10_000;
            coordinators.get(random.nextInt(coordinators.size())).askAgain();
        } else {
            return arriveOrDeliver();
        }
        return true;
    }

    /** The topics of messages are made anew, which takes a restart of all. */
    private void loseAllMessages() {
        disturbances.add(Disturbance.ALL_MESSAGES_LOST);
        coordinators.forEach(Node::crash);
        bands.forEach(Node::crash);
        channels.clear();
    }

    private boolean arriveOrDeliver() {
        List<Runnable> moves = moves();
        if (moves.isEmpty()) {
            return false;
        }
        moves.get(random.nextInt(moves.size())).run();
        return true;
    }

    private List<Runnable> moves() {
        List<Runnable> moves = new ArrayList<>();
        for (CoordinatorNode coordinator : coordinators) {
            for (Input input : coordinator.inputs()) {
                if (coordinator.position(input) < input.records().size() && coordinator.mayTake(input)) {
                    moves.add(() -> coordinator.take(input));
                }
            }
        }
        channels.forEach((channel, messages) -> {
            if (!messages.isEmpty()) {
                moves.add(() -> deliver(channel, messages));
            }
        });
        return moves;
    }

    private void deliver(Channel channel, Deque<Message> messages) {
        Message message = messages.remove();
        if (random.nextDouble() < settings.repeats && !(message instanceof Message.Remove)) {
            messages.add(message);
            disturbances.add(Disturbance.MESSAGE_REPEATED);
        }
        channel.receiver().consume(channel, message);
    }

    private Node randomNode() {
        int drawn = random.nextInt(coordinators.size() + bands.size());
        return drawn < coordinators.size() ? coordinators.get(drawn) : bands.get(drawn - coordinators.size());
    }

    private void commitAll() {
        coordinators.forEach(CoordinatorNode::workOff);
        coordinators.forEach(Node::commit);
        bands.forEach(Node::commit);
    }

    private boolean noMessages() {
        return channels.values().stream().allMatch(Deque::isEmpty);
    }

    private int held() {
        return coordinators.stream()
                .mapToInt(coordinator -> coordinator.role.held())
                .sum();
    }

    /**
     * Whether all coordinators have released all their seeds, or have taken over all that they learn of, and that is
     * committed; once it is so, it stays so.
     */
    private boolean isSeeded() {
        if (!isSeeded) {
            isSeeded = seedInputs.values().stream()
                            .allMatch(input ->
                                    coordinators.get(input.coordinator()).hasReleased(input))
                    && (predecessor == null || coordinators.stream().allMatch(coordinator -> coordinator.hasTakenOver));
        }
        return isSeeded;
    }

    private boolean isDone() {
        CutoverStage stage = cutover.now().stage();
        return stage == CutoverStage.EMPTY
                || (stage == CutoverStage.NONE && coordinators.stream().allMatch(CoordinatorNode::hasReleasedAll));
    }

    /** Something that consumes, sends and commits. */
    private abstract class Node {
        private final List<Runnable> sends = new ArrayList<>();
        private final Deque<Consumed> consumed = new ArrayDeque<>();

        void consume(Channel channel, Message message) {
            consumed.push(new Consumed(channel, message));
            handle(message);
        }

        void send(Node receiver, Message message) {
            if (message instanceof Message.Remove || random.nextDouble() >= settings.loss) {
                sends.add(() -> channel(new Channel(this, receiver)).add(message));
            } else {
                disturbances.add(Disturbance.MESSAGE_LOST);
            }
        }

        void commit() {
            sends.forEach(Runnable::run);
            sends.clear();
            consumed.clear();
            keep();
        }

        void crash() {
            if (!sends.isEmpty() || !consumed.isEmpty()) {
                disturbances.add(Disturbance.WORK_LOST);
            }
            sends.clear();
            consumed.forEach(c -> channel(c.channel()).push(c.message()));
            consumed.clear();
            restart();
        }

        private Deque<Message> channel(Channel channel) {
            return channels.computeIfAbsent(channel, c -> new ArrayDeque<>());
        }

        abstract void handle(Message message);

        abstract void keep();

        abstract void restart();
    }

    private final class CoordinatorNode extends Node implements Outbox<Integer> {
        private final int coordinator;
        private final List<Release> released = new ArrayList<>();
        private final List<Release> releasing = new ArrayList<>();
        private final Set<Integer> read = new LinkedHashSet<>();

        private final Set<Integer> reading = new LinkedHashSet<>();
        private long clockSkewMillis = random.nextInt(CLOCK_SKEW_MILLIS);
        private SimulatedCoordinatorState committed = new SimulatedCoordinatorState();
        private SimulatedCoordinatorState state = committed.copy();
        private DocumentCoordinator<Integer> role;
        private Map<String, Long> positions = new TreeMap<>();
        private @Nullable Integer arriving;
        private @Nullable List<Input> own;
        /** Where its topics begin, as the predecessor says. */
        private Map<String, Long> starts = Map.of();
        /** Whether that is committed. */
        private boolean hasTakenOver;

        private final List<CutoverEvent> events = new ArrayList<>();
        private Cutover known = Cutover.NONE;
        /** The documents that were originals when it was empty. */
        private Set<Integer> handedOver = Set.of();

        CoordinatorNode(int coordinator) {
            this.coordinator = coordinator;
            role = newRole();
        }

        private DocumentCoordinator<Integer> newRole() {
            return new DocumentCoordinator<>(coordinator, rules, partitions, corpus, state, this);
        }

        /** Of the run as it was drawn. */
        List<Input> inputs() {
            if (own == null) {
                own = uncut.stream()
                        .filter(input -> input.coordinator() == coordinator)
                        .filter(input -> predecessor == null || !input.topic().equals(SEEDS))
                        .toList();
            }
            return own;
        }

        /** What it has read, in the order in which it did so first, and what has left. */
        List<List<Integer>> orders() {
            return List.of(
                    List.copyOf(read), released.stream().map(Release::document).toList());
        }

        boolean hasReleasedAll() {
            int records = 0;
            for (Input input : inputs()) {
                records += input.records().size() - start(input);
            }
            return released.size() == records && isSeeded();
        }

        private int start(Input input) {
            return starts.getOrDefault(input.topic(), 0L).intValue();
        }

        boolean hasReleased(Input input) {
            return released.stream()
                            .filter(release -> input.records().contains(release.document()))
                            .count()
                    == input.records().size();
        }

        int position(Input input) {
            return positions.getOrDefault(input.topic(), 0L).intValue();
        }

        boolean mayTake(Input input) {
            if (input.topic().equals(SimulatedPredecessor.TOPIC)) {
                return true;
            }
            if (!input.topic().equals(SEEDS) && !isSeeded()) {
                return false;
            }
            return role.held() < settings.heldMax || role.awaitedTopics().contains(input.topic());
        }

        void take(Input input) {
            int position = position(input);
            positions.put(input.topic(), position + 1L);
            InputOffset at = new InputOffset(input.topic(), position);
            if (role.migrationSource().isHandedOver(at)) {
                role.skipHandedOver(at);
                return;
            }
            int document = input.records().get((int) at.offset());
            reading.add(document);
            if (predecessor != null && SimulatedPredecessor.isChange(document)) {
                migrate(at, document, predecessor.change(coordinator, at.offset()));
                return;
            }
            if (tombstones.contains(document)) {
                RecordKey key = keyOf(document);
                noteForgetting(role, Disturbance.TOMBSTONE_ARRIVED, () -> role.takeTombstone(at, document, key, now()));
                if (!state.tombstones().isEmpty()) {
                    disturbances.add(Disturbance.TOMBSTONE_LEFT);
                }
            } else if (document < 0) {
                role.pass(at, document, now());
            } else if (document < seeds) {
                disturbances.add(Disturbance.SEED_TAKEN);
                arriving = document;
                role.seed(at, document, corpus.signed(document), origins.get(document), areSeedsJudged, now());
            } else {
                arriving = document;
                role.arrive(at, document, corpus.signed(document), origins.get(document), now());
            }
            arriving = null;
        }

        private void migrate(InputOffset at, int record, SimulatedPredecessor.Change change) {
            if (change.change() instanceof PredecessorChange.Completed end) {
                starts = end.starts();
                if (!role.hasMigrated()) {
                    positions.putAll(starts);
                }
            }
            arriving = change.document() < 0 ? null : Integer.valueOf(change.document());
            noteForgetting(
                    role, Disturbance.REMOVED_BY_PREDECESSOR, () -> role.migrate(at, record, change.change(), now()));
            arriving = null;
        }

        /** Another document comes that has the keys of one that came before. */
        void meet(int document) {
            Input input = inputs().get(0);
            InputOffset at = new InputOffset(input.topic(), position(input));
            positions.put(input.topic(), at.offset() + 1);
            role.arrive(at, document, corpus.signed(document), origins.get(document), now());
            deliverAll();
        }

        /** The documents that were repeated later than this coordinator knows. */
        List<Integer> repeatsLost(Map<Integer, Long> last) {
            return state.originals().entrySet().stream()
                    .filter(known -> known.getValue().origin().predecessorRef() != null)
                    .filter(known -> state.lastRepeated(known.getKey())
                            < last.getOrDefault(corpus.document(known.getValue()), 0L))
                    .map(known -> corpus.document(known.getValue()))
                    .toList();
        }

        /** Looks, now and then, at what is asked by now. */
        void heedNowAndThen() {
            if (cutover.random().nextInt(4) == 0) {
                known = cutover.now();
            }
            if (isSeeded()) {
                heed();
            }
        }

        /** Looks at all that is asked by now, and does what the service does each second; false if nothing follows. */
        boolean heedAll() {
            if (!isSeeded()) {
                return false;
            }
            boolean isNew = !known.equals(cutover.now());
            known = cutover.now();
            boolean follows = heed();
            askAgain();
            expire();
            boolean hasMore = role.expireNext();
            return heed() || follows || isNew || hasMore;
        }

        private boolean heed() {
            MigrationSource source = role.migrationSource();
            boolean isNew = source.current().isEmpty() && known.request().isPresent();
            if (isNew) {
                source.fix(topics(), topic -> Handover.NOTHING_TAKEN);
            }
            int reported = events.size();
            if (source.isDrained()) {
                reportEmpty(source);
            }
            return isNew || events.size() > reported;
        }

        private List<String> topics() {
            return inputs().stream()
                    .map(Input::topic)
                    .filter(topic -> !topic.equals(SEEDS))
                    .toList();
        }

        private void reportEmpty(MigrationSource source) {
            source.current().filter(left -> !left.isReportedEmpty()).ifPresent(left -> {
                source.noteEmpty();
                events.add(new CutoverEvent.Empty(coordinator, left.positions(), source.eventMillis(), 0));
                handedOver = originals();
            });
        }

        Set<Integer> originals() {
            return state.originals().values().stream().map(corpus::document).collect(Collectors.toSet());
        }

        void verifyMore() {
            noteForgetting(role, Disturbance.VERSION_REPLACED, role::verifyMore);
            noteSifting();
        }

        void workOff() {
            while (role.hasQueuedRequests()) {
                disturbances.add(Disturbance.WORK_LEFT);
                verifyMore();
            }
        }

        void expire() {
            noteForgetting(role, Disturbance.ORIGINAL_EXPIRED, role::expireNext);
        }

        boolean isExpired(Map.Entry<DocumentRef, Original> known) {
            return lastSeen(state, known) <= expiredMax(state.expiry().eventMillis());
        }

        void expireAll() {
            while (role.expireNext()) {
                // A slice after the other.
            }
        }

        void askAgain() {
            role.askAgain(now());
        }

        private long now() {
            return nowMillis + clockSkewMillis;
        }

        @Override
        void handle(Message message) {
            boolean isMigrating = predecessor != null && !hasTakenOver;
            noteForgetting(
                    role,
                    isMigrating ? Disturbance.REMOVED_BY_PREDECESSOR : Disturbance.VERSION_REPLACED,
                    () -> role.receive(List.of((ToCoordinator) message)));
            noteSifting();
        }

        private void noteSifting() {
            CoordinatorCounts candidates = role.counts();
            if (candidates.notCompared() > 0) {
                disturbances.add(Disturbance.CANDIDATE_OUTRANKED);
            }
            if (candidates.ruledOut() > 0) {
                disturbances.add(Disturbance.CANDIDATE_CUT);
            }
        }

        @Override
        void keep() {
            if (successor != null) {
                Objects.requireNonNull(successor.predecessor).note(coordinator, committed, state);
            }
            hasTakenOver = role.hasMigrated();
            committed = state.copy();
            released.addAll(releasing);
            releasing.clear();
            read.addAll(reading);
            reading.clear();
            cutover.note(events);
            events.clear();
        }

        @Override
        void restart() {
            state = committed.copy();
            releasing.clear();
            reading.clear();
            events.clear();
            known = cutover.any();
            role = newRole();
            role.announce();
            positions = new TreeMap<>();
            role.positions().forEach((topic, position) -> positions.put(topic, position.offset()));
            disturbances.add(Disturbance.COORDINATOR_MOVED);
            clockSkewMillis = random.nextInt(CLOCK_SKEW_MILLIS);
        }

        @Override
        public void toIndex(int indexPartition, ToIndex message) {
            if (arriving != null && message instanceof Message.Lookup lookup) {
                refs.put(lookup.document(), arriving); // A crash may have taken the number back from another.
            }
            send(bands.get(indexPartition), message);
        }

        @Override
        public void toCoordinator(int receiver, ToCoordinator message) {
            send(coordinators.get(receiver), message);
        }

        @Override
        public void toAllCoordinators(ToCoordinator message) {
            coordinators.forEach(receiver -> toCoordinator(receiver.coordinator, message));
        }

        @Override
        public void ended(Provenance original) {
            // What becomes of stories is another subject: here it only must not disturb the protocol.
        }

        @Override
        public boolean release(DocumentRef ref, Integer payload, Decision decision) {
            if (payload >= seeds && settings.withdrawals > 0 && random.nextDouble() < settings.withdrawals) {
                unfit.add(payload);
                disturbances.add(Disturbance.DECISION_WITHDRAWN);
            }
            boolean fit = !unfit.contains(payload);
            if (predecessor != null && SimulatedPredecessor.isChange(payload)) {
                predecessor.noteTaken(payload, decision);
                releasing.add(new Release(payload, Decision.UNJUDGED)); // Nothing of it is an output.
                return true;
            }
            releasing.add(new Release(payload, fit ? decision : Decision.UNJUDGED));
            return fit;
        }
    }

    private final class BandNode extends Node {
        private final int indexPartition;
        private SimulatedBandState committed = new SimulatedBandState(settings.bucketMax);
        private SimulatedBandState state = committed.copy();

        BandNode(int indexPartition) {
            this.indexPartition = indexPartition;
        }

        @Override
        void handle(Message message) {
            new BandIndex(indexPartition, settings.candidatesMax, state)
                    .receive(List.of((ToIndex) message))
                    .forEach(this::answer);
            if (state.takenAgain() > 0) {
                disturbances.add(Disturbance.TAKEN_AGAIN);
            }
        }

        private void answer(Message.Candidates answer) {
            if (answer.found().truncated() > 0) {
                disturbances.add(Disturbance.CANDIDATE_TRUNCATED);
            }
            if (answer.found().fullBuckets() > 0) {
                disturbances.add(Disturbance.BUCKET_FULL);
            }
            send(coordinators.get(answer.document().coordinator()), answer);
        }

        @Override
        void keep() {
            committed = state.copy();
        }

        @Override
        void restart() {
            state = committed.copy();
        }
    }
}
