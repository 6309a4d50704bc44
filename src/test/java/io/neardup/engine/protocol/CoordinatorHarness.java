package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.CoordinatorRules.Retention;
import io.neardup.engine.protocol.CoordinatorRules.Slice;
import io.neardup.engine.protocol.CoordinatorRules.StepBounds;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.CoordinatorState.Entry;
import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import io.neardup.engine.protocol.DocumentCoordinator.Outbox;
import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.Message.ToCoordinator;
import io.neardup.engine.protocol.Message.ToIndex;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.BitmapFilter;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import io.neardup.engine.similarity.SimilarityJudge;
import io.neardup.simulation.SimulatedCoordinatorState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A coordinator in a harness: messages go in by hand, and what it sends is kept. Documents are names; two are as
 * similar as {@link #similar} was set to, else not at all. There are two index partitions of one band each.
 */
abstract class CoordinatorHarness implements Outbox<String>, SimilarityJudge {
    static final int COORDINATOR = 1;
    static final String TOPIC = "documents";
    static final double THRESHOLD = 0.7;
    static final int INDEX_PARTITIONS = 2;
    static final BandKeys KEYS = BandKeys.owning(new long[] {11, 22});

    /** The receiver of what goes to all coordinators. */
    static final int ALL = -1;

    // ---- the rules, from the first step on, or from when it begins again

    int verifiedMax = 100;
    int differencesMax = Integer.MAX_VALUE;
    Retention retention = Retention.FOREVER;
    Versions versions = Versions.COMPARE;
    int askAgainMax = 1_000;
    Slice originalsAStep = new Slice(1_000, 1 << 20);
    long verifiedBytes = 1 << 20;
    boolean reportsNearestBelow;
    boolean reportsEnds;

    /** Whether bitmaps know all similarities. */
    boolean areBitmapped;
    /** The similarity of the whole texts of all pairs; NaN where nobody knows it. */
    double whole = Double.NaN;
    /** Whether the first comparison gives it; else a match is compared twice. */
    boolean isWholeAtOnce;

    /** The numbers from which originals of a key were looked for. */
    final List<Long> lookedFrom = new ArrayList<>();

    private final SimulatedCoordinatorState state = new SimulatedCoordinatorState() {
        @Override
        public List<Entry> originalsOf(RecordKey key, long fromSequence, long beforeSequence, Slice max) {
            lookedFrom.add(fromSequence);
            return super.originalsOf(key, fromSequence, beforeSequence, max);
        }
    };
    private final Map<Set<String>, Double> similarities = new HashMap<>();
    private final Map<String, Origin> origins = new HashMap<>();
    private final Map<String, String> ids = new HashMap<>();
    private final List<Sent> sent = new ArrayList<>();
    private final List<Released> released = new ArrayList<>();
    private final List<String> ended = new ArrayList<>();
    private final Set<String> refused = new HashSet<>();
    private final Map<String, BitSketch> sketches = new HashMap<>();
    /** The number of the last request about a candidate. */
    private final Map<Asked, Integer> requests = new HashMap<>();

    private @Nullable DocumentCoordinator<String> role;
    private final List<Consumer<DocumentCoordinator<String>>> input = new ArrayList<>();
    private int epoch;
    private int left;
    private long nowMillis = 1_000_000;

    /** @param receiver an index partition or a coordinator, as the message says */
    record Sent(int receiver, Message message) {}

    private record Asked(DocumentRef asker, DocumentRef candidate) {}

    record Released(String payload, Decision decision) {}

    // ---- what the tests do

    /** Another coordinator goes on with the state, by the rules as they are now. */
    void begin() {
        StepBounds bounds = new StepBounds(askAgainMax, originalsAStep, verifiedBytes, StepBounds.SKETCHES_MAX);
        CoordinatorRules rules = new CoordinatorRules(
                THRESHOLD, verifiedMax, differencesMax, retention, versions, bounds, reportsNearestBelow, reportsEnds);
        role = new DocumentCoordinator<>(COORDINATOR, rules, new Partitions(INDEX_PARTITIONS, 2), this, state, this);
        epoch++;
    }

    DocumentCoordinator<String> role() {
        if (role == null) {
            begin();
        }
        return Objects.requireNonNull(role);
    }

    void similar(String a, String b, double similarity) {
        similarities.put(Set.of(a, b), similarity);
    }

    /** The sketch that documents of a name have from now on: it differs from one of all zeros in so many values. */
    void sketch(String name, int differences) {
        int[] values = new int[16];
        Arrays.fill(values, 0, differences, 1);
        sketches.put(name, BitSketch.of(values));
    }

    /** A document arrives; its lookups are taken off. */
    DocumentRef arrive(String name) {
        DocumentRef ref = read(
                (coordinator, offset) -> coordinator.arrive(at(offset), name, signed(name), origin(name), nowMillis));
        sent.removeIf(s -> s.message() instanceof Message.Lookup lookup
                && lookup.document().equals(ref));
        return ref;
    }

    static InputOffset at(long offset) {
        return new InputOffset(TOPIC, offset);
    }

    /** The key and the timestamp that documents of a name have from now on. */
    void origin(String name, @Nullable RecordKey key, long timestampMillis) {
        origins.put(name, new Origin(key, timestampMillis, provenance(ids.getOrDefault(name, name))));
    }

    /** The id that documents of a name have from now on, in place of the name. */
    void id(String name, String id) {
        ids.put(name, id);
    }

    private Origin origin(String name) {
        return origins.getOrDefault(name, new Origin(null, 0, provenance(ids.getOrDefault(name, name))));
    }

    /** That of all documents of an id. */
    static Provenance provenance(String id) {
        return new Provenance("documents-1-" + id, "source of " + id, -1, id.length());
    }

    /** An original as one that another was compared with. */
    static Neighbour neighbour(DocumentRef ref, String id, double similarity) {
        return new Neighbour(ref, id, provenance(id), seen(similarity), false);
    }

    void takeTombstone(String name, RecordKey key) {
        read((coordinator, offset) -> coordinator.takeTombstone(at(offset), name, key, nowMillis));
    }

    /** Something is learned of the index that this one succeeds. */
    DocumentRef migrate(String name, PredecessorChange change) {
        return read((coordinator, offset) -> coordinator.migrate(at(offset), name, change, nowMillis));
    }

    /** A document is learned of as an original of that index. */
    DocumentRef migrate(String name, String of, DocumentRef source) {
        return migrate(
                name,
                new PredecessorChange.Inherited(
                        new Original(signed(of), origin(of).takenOverFrom(source))));
    }

    boolean expire() {
        return role().expireNext();
    }

    private DocumentRef read(ObjIntConsumer<DocumentCoordinator<String>> record) {
        int offset = input.size();
        input.add(coordinator -> record.accept(coordinator, offset));
        record.accept(role(), offset);
        return new DocumentRef(COORDINATOR, offset);
    }

    /** All index partitions answer, the first with these candidates. */
    void answerAll(DocumentRef document, DocumentRef... candidates) {
        answer(document, 0, candidates);
        for (int w = 1; w < INDEX_PARTITIONS; w++) {
            answer(document, w);
        }
    }

    void answer(DocumentRef document, int indexPartition, DocumentRef... found) {
        answer(document, indexPartition, new Found(DocumentRefs.of(List.of(found)), 0, 0));
    }

    void answer(DocumentRef document, int indexPartition, Found found) {
        receive(new Candidates(document, epoch, indexPartition, found));
    }

    void receive(ToCoordinator message) {
        role().receive(List.of(message));
    }

    /** The coordinator of a candidate answers, where the asker asked about no other one there. */
    void judge(DocumentRef asker, DocumentRef candidate, double similarity, @Nullable String originalId) {
        List<Neighbour> best = originalId == null || similarity < THRESHOLD
                ? List.of()
                : List.of(neighbour(candidate, originalId, similarity));
        answer(asker, candidate, best, DocumentRefs.NONE, similarity > 0 ? 1 : 0);
    }

    /** A document that repeats an original of another coordinator. */
    DocumentRef arriveAsDuplicate(String name, DocumentRef original, String originalId) {
        DocumentRef ref = arrive(name);
        answerAll(ref, original);
        judge(ref, original, 0.9, originalId);
        return ref;
    }

    /** A coordinator answers that a candidate is no match, and whom to ask in its place. */
    void redirect(DocumentRef asker, DocumentRef candidate, DocumentRef to) {
        answer(asker, candidate, List.of(), DocumentRefs.of(List.of(to)), 1);
    }

    /** The answer to the last request of the asker about a candidate. */
    private void answer(
            DocumentRef asker, DocumentRef candidate, List<Neighbour> best, DocumentRefs instead, int compared) {
        int request = requests.getOrDefault(new Asked(asker, candidate), 0);
        receive(new Answer(asker, epoch, request, best, null, instead, DocumentRefs.NONE, compared, 0));
    }

    /** Another coordinator asks about some of our documents, for the first time. */
    void verify(DocumentRef asker, long arrivalMillis, String name, DocumentRef... candidates) {
        verify(asker, 0, arrivalMillis, name, candidates);
    }

    /** @param request counts those of the asker */
    void verify(DocumentRef asker, int request, long arrivalMillis, String name, DocumentRef... candidates) {
        receive(new Verify(
                asker,
                1,
                request,
                arrivalMillis,
                evidence(name),
                sketchOf(name),
                DocumentRefs.of(List.of(candidates))));
    }

    /** Requests that a step had no time for are answered. */
    void workOff() {
        while (role().hasQueuedRequests()) {
            role().verifyMore();
        }
    }

    void pass(long millis) {
        nowMillis += millis;
        role().askAgain(nowMillis);
    }

    /** The coordinator stops after its last step, and another starts on the same state and reads the input again. */
    void restart() {
        stop();
        readAgain();
    }

    /** As {@link #restart}, before anything is read again. */
    void stop() {
        sent.clear();
        begin();
    }

    /** Reads all that has not left, in the order of the input. */
    void readAgain() {
        List.copyOf(input.subList(left, input.size())).forEach(record -> record.accept(role()));
    }

    /** No output carries this document. */
    void refuse(String name) {
        refused.add(name);
    }

    /** A unique document of this coordinator. What was sent and released until then is forgotten. */
    DocumentRef original(String name) {
        DocumentRef ref = arrive(name);
        answerAll(ref);
        released.clear();
        sent.clear();
        return ref;
    }

    // ---- what the tests see

    long nowMillis() {
        return nowMillis;
    }

    /** Of this coordinator. */
    int epoch() {
        return epoch;
    }

    SimulatedCoordinatorState state() {
        return state;
    }

    boolean isOriginal(DocumentRef ref) {
        return state.entry(ref).isPresent();
    }

    /** What was sent since the last call. */
    List<Sent> sent() {
        List<Sent> taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    /** The answers among it. */
    List<Answer> answers() {
        return sent().stream()
                .map(Sent::message)
                .filter(Answer.class::isInstance)
                .map(Answer.class::cast)
                .toList();
    }

    /** What was released since the last call. */
    List<Released> released() {
        List<Released> taken = List.copyOf(released);
        released.clear();
        return taken;
    }

    /** The places of originals of which the end was reported, since the last call. */
    List<String> ended() {
        List<String> places = List.copyOf(ended);
        ended.clear();
        return places;
    }

    /** This, and nothing else since the last look. */
    void requireSent(Sent... expected) {
        assertThat(sent()).containsExactly(expected);
    }

    void requireNothingSent() {
        assertThat(sent()).isEmpty();
    }

    void requireReleased(Released... expected) {
        assertThat(released()).containsExactly(expected);
    }

    static Released unique(String name) {
        return new Released(name, Decision.UNIQUE);
    }

    static Released unjudged(String name) {
        return new Released(name, Decision.UNJUDGED);
    }

    static Released duplicate(String name, DocumentRef original, String originalId, double similarity) {
        return new Released(
                name, new Decision.Duplicate(original, originalId, provenance(originalId), seen(similarity)));
    }

    Sent[] lookups(DocumentRef... documents) {
        return Stream.of(documents)
                .flatMap(document -> IntStream.range(0, INDEX_PARTITIONS)
                        .mapToObj(w -> new Sent(w, new Message.Lookup(document, epoch, share(w)))))
                .toArray(Sent[]::new);
    }

    static Sent[] removes(DocumentRef... documents) {
        return Stream.of(documents)
                .flatMap(document -> IntStream.range(0, INDEX_PARTITIONS)
                        .mapToObj(w -> new Sent(w, new Message.Remove(document, share(w)))))
                .toArray(Sent[]::new);
    }

    /** The first request of a document that arrived now. */
    Sent verifySent(DocumentRef asker, String name, DocumentRef... candidates) {
        return verifySent(asker, 0, nowMillis, name, candidates);
    }

    /** A request, without a sketch. */
    Sent verifySent(DocumentRef asker, int request, long arrivalMillis, String name, DocumentRef... candidates) {
        DocumentRefs refs = DocumentRefs.of(List.of(candidates));
        return new Sent(
                candidates[0].coordinator(),
                new Verify(asker, epoch, request, arrivalMillis, evidence(name), BitSketch.NONE, refs));
    }

    /** The answer to a first request that an original matches, after so many comparisons. */
    static Sent matchSent(DocumentRef asker, DocumentRef original, double similarity, String id, int compared) {
        return matchSent(asker, neighbour(original, id, similarity), compared, 0);
    }

    /** With likely candidates that were not compared. */
    static Sent matchSent(DocumentRef asker, Neighbour best, int compared, int notCompared) {
        return answerSent(asker, List.of(best), DocumentRefs.NONE, DocumentRefs.NONE, compared, notCompared);
    }

    /** The answer to a first request that none matches, after so many comparisons. */
    static Sent noMatchSent(DocumentRef asker, int compared, DocumentRef... instead) {
        return answerSent(asker, List.of(), DocumentRefs.of(List.of(instead)), DocumentRefs.NONE, compared, 0);
    }

    /** The answer to a first request that a coordinator will never know the candidate again. */
    static Sent unknownSent(DocumentRef asker, DocumentRef candidate) {
        return answerSent(asker, List.of(), DocumentRefs.NONE, DocumentRefs.of(List.of(candidate)), 0, 0);
    }

    static Sent answerSent(
            DocumentRef asker,
            List<Neighbour> best,
            DocumentRefs instead,
            DocumentRefs unknown,
            int compared,
            int beyond) {
        Answer answer = new Answer(asker, 1, 0, best, null, instead, unknown, compared, beyond);
        return new Sent(asker.coordinator(), answer);
    }

    private static BandKeys share(int indexPartition) {
        return BandKeys.owning(new long[] {KEYS.key(indexPartition)});
    }

    private SignedDocument signed(String name) {
        return new SignedDocument(ids.getOrDefault(name, name), KEYS, evidence(name), sketchOf(name));
    }

    private BitSketch sketchOf(String name) {
        return sketches.getOrDefault(name, BitSketch.NONE);
    }

    static Evidence evidence(String name) {
        return Evidence.of(name.getBytes(StandardCharsets.UTF_8));
    }

    // ---- what the coordinator uses

    @Override
    public double whole(Evidence a, Evidence b) {
        return whole;
    }

    @Override
    public Similarity similarity(Evidence a, Evidence b) {
        Similarity similarity = seen(similarities.getOrDefault(Set.of(name(a), name(b)), 0.0));
        return isWholeAtOnce ? similarity.withWhole(whole) : similarity;
    }

    /** Below the threshold it is a bound of the similarity, as that of a judge whose comparison ended early. */
    @Override
    public Similarity similarity(Evidence a, Evidence b, double threshold) {
        Similarity similarity = similarity(a, b);
        return similarity.value() >= threshold ? similarity : seen(Math.nextDown(threshold));
    }

    @Override
    public Optional<BitmapFilter> bitmap(Evidence evidence) {
        return areBitmapped ? Optional.of(new NameBitmap(similarities, name(evidence))) : Optional.empty();
    }

    @Override
    public Optional<BitmapFilter> bitmapOfFirst(Evidence evidence) {
        return bitmap(evidence);
    }

    private record NameBitmap(Map<Set<String>, Double> similarities, String name) implements BitmapFilter {
        @Override
        public boolean isBelow(double threshold, BitmapFilter other) {
            return similarities.getOrDefault(Set.of(name, ((NameBitmap) other).name), 0.0) < threshold;
        }

        @Override
        public long bytes() {
            return name.length();
        }
    }

    static Similarity seen(double similarity) {
        return similarity == 0 ? Similarity.NONE : Similarity.of(similarity);
    }

    private static String name(Evidence evidence) {
        return new String(evidence.bytes(), StandardCharsets.UTF_8);
    }

    @Override
    public void toIndex(int indexPartition, ToIndex message) {
        sent.add(new Sent(indexPartition, message));
    }

    @Override
    public void toCoordinator(int coordinator, ToCoordinator message) {
        if (message instanceof Verify verify) {
            verify.candidates()
                    .forEach(candidate -> requests.put(new Asked(verify.asker(), candidate), verify.request()));
        }
        sent.add(new Sent(coordinator, message));
    }

    @Override
    public void toAllCoordinators(ToCoordinator message) {
        sent.add(new Sent(ALL, message));
    }

    @Override
    public void ended(Provenance original) {
        ended.add(original.place());
    }

    @Override
    public boolean release(DocumentRef ref, String payload, Decision decision) {
        left++;
        boolean carried = !refused.contains(payload);
        released.add(new Released(payload, carried ? decision : Decision.UNJUDGED));
        return carried;
    }
}
