package io.neardup.engine.protocol;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.CoordinatorRules.Retention;
import io.neardup.engine.protocol.CoordinatorRules.Slice;
import io.neardup.engine.protocol.CoordinatorRules.StepBounds;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.DocumentCoordinator.InputOffset;
import io.neardup.engine.protocol.DocumentCoordinator.Outbox;
import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.Message.ToBands;
import io.neardup.engine.protocol.Message.ToCoordinator;
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
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A coordinator in a harness: messages go in by hand, and what it sends is kept. Documents are names; two are as
 * similar as {@link #similar} was set to, else not at all. There are two index partitions of one band each.
 */
final class CoordinatorHarness implements Outbox<String>, SimilarityJudge {
    static final int COORDINATOR = 1;
    static final String TOPIC = "documents";
    static final double THRESHOLD = 0.7;
    static final int INDEX_PARTITIONS = 2;
    static final BandKeys KEYS = BandKeys.owning(new long[] {11, 22});

    private final SimulatedCoordinatorState state = new SimulatedCoordinatorState();
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

    private int verifiedMax = 100;
    private int differencesMax = Integer.MAX_VALUE;
    private Retention retention = Retention.FOREVER;
    private Versions versions = Versions.COMPARE;
    private StepBounds bounds = new StepBounds(1_000, new Slice(1_000, 1 << 20), 1 << 20, StepBounds.SKETCHES_MAX);
    private boolean namesNearest;
    private boolean reportsEnds;
    private DocumentCoordinator<String> role;
    private final List<Consumer<DocumentCoordinator<String>>> input = new ArrayList<>();
    private int epoch = 1;
    private int left;
    private long nowMillis = 1_000_000;
    private double whole = Double.NaN;
    private boolean isWholeAtOnce;
    private boolean bitmapped;

    /** The receiver of what goes to all coordinators. */
    static final int ALL = -1;

    /** @param receiver an index partition or a coordinator, as the message says */
    record Sent(int receiver, Message message) {}

    private record Asked(DocumentRef asker, DocumentRef candidate) {}

    record Released(String payload, Decision decision) {}

    CoordinatorHarness() {
        role = newRole();
    }

    private DocumentCoordinator<String> newRole() {
        CoordinatorRules rules = new CoordinatorRules(
                THRESHOLD, verifiedMax, differencesMax, retention, versions, bounds, namesNearest, reportsEnds);
        return new DocumentCoordinator<>(COORDINATOR, rules, new Partitions(INDEX_PARTITIONS, 2), this, state, this);
    }

    /** The places of originals of which the end was reported, since the last call. */
    List<String> ended() {
        List<String> places = List.copyOf(ended);
        ended.clear();
        return places;
    }

    // ---- what the tests do

    void withAskAgainMax(int max) {
        with(new StepBounds(max, bounds.removedSlice(), bounds.verifiedBytes(), bounds.sketchesMax()));
    }

    void withOriginalsAStep(Slice originals) {
        with(new StepBounds(bounds.askAgainMax(), originals, bounds.verifiedBytes(), bounds.sketchesMax()));
    }

    void withVerifiedBytes(long bytes) {
        with(new StepBounds(bounds.askAgainMax(), bounds.removedSlice(), bytes, bounds.sketchesMax()));
    }

    private void with(StepBounds newBounds) {
        bounds = newBounds;
        begin();
    }

    void withBitmaps() {
        bitmapped = true;
    }

    void withRetention(Retention newRetention) {
        retention = newRetention;
        begin();
    }

    void withVersions(Versions newVersions) {
        versions = newVersions;
        begin();
    }

    void withVerifiedMax(int newMax) {
        verifiedMax = newMax;
        begin();
    }

    void withCut(int newDifferencesMax) {
        differencesMax = newDifferencesMax;
        begin();
    }

    void withReportedEnds() {
        reportsEnds = true;
        begin();
    }

    void withNearestNamed() {
        namesNearest = true;
        begin();
    }

    private void begin() {
        role = newRole();
        epoch++;
    }

    void similar(String a, String b, double similarity) {
        similarities.put(Set.of(a, b), similarity);
    }

    /** The sketch that documents of a name have from now on: it differs from one of all zeros in so many values. */
    void sketch(String name, int differences) {
        sketches.put(name, sketch(differences));
    }

    static BitSketch sketch(int differences) {
        int[] values = new int[16];
        Arrays.fill(values, 0, differences, 1);
        return BitSketch.of(values);
    }

    /** A document arrives; its lookups are taken off. */
    DocumentRef arrive(String name) {
        DocumentRef ref = new DocumentRef(COORDINATOR, input.size());
        InputOffset at = new InputOffset(TOPIC, input.size());
        read(coordinator -> coordinator.arrive(at, name, signed(name), origin(name), nowMillis));
        sent.removeIf(s -> s.message() instanceof Message.Lookup lookup
                && lookup.document().equals(ref));
        return ref;
    }

    /** The key and the timestamp that documents of a name have from now on. */
    void origin(String name, @Nullable RecordKey key, long timestampMillis) {
        origins.put(name, new Origin(key, timestampMillis, provenance(ids.getOrDefault(name, name))));
    }

    /** The id that documents of a name have from now on, in place of the name. */
    void id(String name, String id) {
        ids.put(name, id);
    }

    Origin origin(String name) {
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

    /** A tombstone arrives. */
    void takeTombstone(String name, RecordKey key) {
        InputOffset at = new InputOffset(TOPIC, input.size());
        read(coordinator -> coordinator.takeTombstone(at, name, key, nowMillis));
    }

    /** Something is learned of the index that this one succeeds. */
    DocumentRef migrate(String name, PredecessorChange change) {
        DocumentRef ref = new DocumentRef(COORDINATOR, input.size());
        InputOffset at = new InputOffset(TOPIC, input.size());
        read(coordinator -> coordinator.migrate(at, name, change, nowMillis));
        return ref;
    }

    /** A document as an original of that index. */
    PredecessorChange.Inherited taken(String name, DocumentRef source) {
        return new PredecessorChange.Inherited(
                new Original(signed(name), origin(name).takenOverFrom(source)));
    }

    boolean expire() {
        return role.expireNext();
    }

    private void read(Consumer<DocumentCoordinator<String>> record) {
        input.add(record);
        record.accept(role);
    }

    /** All index partitions answer, the first with these candidates. */
    void answerAll(DocumentRef document, DocumentRef... candidates) {
        answer(document, 0, List.of(candidates));
        for (int w = 1; w < INDEX_PARTITIONS; w++) {
            answer(document, w, List.of());
        }
    }

    void answer(DocumentRef document, int indexPartition, List<DocumentRef> found) {
        answer(document, indexPartition, new Found(DocumentRefs.of(found), 0, 0));
    }

    void answer(DocumentRef document, int indexPartition, Found found) {
        receive(new Candidates(document, epoch, indexPartition, found));
    }

    void receive(ToCoordinator message) {
        role.receive(List.of(message));
    }

    /** The coordinator of a candidate answers, where the asker asked about no other one there. */
    void judge(DocumentRef asker, DocumentRef candidate, double similarity, @Nullable String originalId) {
        List<Neighbour> best = originalId == null || similarity < THRESHOLD
                ? List.of()
                : List.of(neighbour(candidate, originalId, similarity));
        answer(asker, candidate, best, DocumentRefs.NONE, DocumentRefs.NONE, similarity > 0 ? 1 : 0, 0);
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
        answer(asker, candidate, List.of(), DocumentRefs.of(to), DocumentRefs.NONE, 1, 0);
    }

    /** The answer to the last request of the asker about a candidate. */
    private void answer(
            DocumentRef asker,
            DocumentRef candidate,
            List<Neighbour> best,
            DocumentRefs instead,
            DocumentRefs unknown,
            int compared,
            int beyond) {
        int request = requests.getOrDefault(new Asked(asker, candidate), 0);
        receive(new Answer(asker, epoch, request, best, null, instead, unknown, compared, beyond));
    }

    /** Another coordinator asks about some of our documents, for the first time. */
    void verify(DocumentRef asker, long arrivalMillis, String name, DocumentRef... candidates) {
        verify(asker, 0, arrivalMillis, name, candidates);
    }

    /** @param request counts those of the asker */
    void verify(DocumentRef asker, int request, long arrivalMillis, String name, DocumentRef... candidates) {
        receive(new Verify(
                asker, 1, request, arrivalMillis, evidence(name), sketchOf(name), DocumentRefs.of(candidates)));
    }

    /** Of this coordinator. */
    int epoch() {
        return epoch;
    }

    void pass(long millis) {
        nowMillis += millis;
        role.askAgain(nowMillis);
    }

    /** The coordinator stops after its last step, and another starts on the same state and reads the input again. */
    void restart() {
        stop();
        readAgain();
    }

    /** As {@link #restart}, before anything is read again. */
    void stop() {
        epoch++;
        sent.clear();
        role = newRole();
    }

    /** Reads all that has not left, in the order of the input. */
    void readAgain() {
        List.copyOf(input.subList(left, input.size())).forEach(record -> record.accept(role));
    }

    /** How often an original was looked for in the state with its evidence. */
    long originalsRead() {
        return state.originalsRead();
    }

    /** No output carries this document. */
    void refuse(String name) {
        refused.add(name);
    }

    /** A unique document of this coordinator. */
    DocumentRef original(String name) {
        DocumentRef ref = arrive(name);
        answerAll(ref);
        released.clear();
        return ref;
    }

    // ---- what the tests see

    long nowMillis() {
        return nowMillis;
    }

    DocumentCoordinator<String> role() {
        return role;
    }

    SimulatedCoordinatorState state() {
        return state;
    }

    /** What was sent since the last call. */
    List<Sent> sent() {
        List<Sent> taken = List.copyOf(sent);
        sent.clear();
        return taken;
    }

    /** What was released since the last call. */
    List<Released> released() {
        List<Released> taken = List.copyOf(released);
        released.clear();
        return taken;
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

    List<Sent> lookups(DocumentRef document) {
        return IntStream.range(0, INDEX_PARTITIONS)
                .mapToObj(w -> new Sent(w, new Message.Lookup(document, epoch, share(w))))
                .toList();
    }

    List<Sent> removes(DocumentRef document) {
        return IntStream.range(0, INDEX_PARTITIONS)
                .mapToObj(w -> new Sent(w, new Message.Remove(document, share(w))))
                .toList();
    }

    /** The first request of a document that arrived now. */
    Sent verifySent(DocumentRef asker, String name, DocumentRef... candidates) {
        return verifySent(asker, 0, nowMillis, name, candidates);
    }

    /** The request with a number. */
    Sent verifySent(DocumentRef asker, int request, String name, DocumentRef... candidates) {
        return verifySent(asker, request, nowMillis, name, candidates);
    }

    /** Without a sketch. */
    Sent verifySent(DocumentRef asker, int request, long arrivalMillis, String name, DocumentRef... candidates) {
        return new Sent(
                candidates[0].coordinator(),
                new Verify(
                        asker,
                        epoch,
                        request,
                        arrivalMillis,
                        evidence(name),
                        BitSketch.NONE,
                        DocumentRefs.of(candidates)));
    }

    /** The answer to a first request that an original matches, after so many comparisons. */
    static Sent matchSent(DocumentRef asker, DocumentRef original, double similarity, String id, int compared) {
        return matchSent(asker, neighbour(original, id, similarity), compared, 0);
    }

    /** With so many beyond the bound. */
    static Sent matchSent(DocumentRef asker, Neighbour best, int compared, int beyond) {
        return answerSent(asker, 0, List.of(best), DocumentRefs.NONE, DocumentRefs.NONE, compared, beyond);
    }

    /** The answer to a first request that none matches, after so many comparisons. */
    static Sent noMatchSent(DocumentRef asker, int compared, DocumentRef... instead) {
        return noMatchSent(asker, 0, compared, 0, instead);
    }

    /** The answer to a request that none matches, after so many comparisons, and with so many beyond the bound. */
    static Sent noMatchSent(DocumentRef asker, int request, int compared, int beyond, DocumentRef... instead) {
        return answerSent(asker, request, List.of(), DocumentRefs.of(instead), DocumentRefs.NONE, compared, beyond);
    }

    /** The answer to a first request that a coordinator will never know the candidate again. */
    static Sent unknownSent(DocumentRef asker, DocumentRef candidate) {
        return answerSent(asker, 0, List.of(), DocumentRefs.NONE, DocumentRefs.of(candidate), 0, 0);
    }

    private static Sent answerSent(
            DocumentRef asker,
            int request,
            List<Neighbour> best,
            DocumentRefs instead,
            DocumentRefs unknown,
            int compared,
            int beyond) {
        Answer answer = new Answer(asker, 1, request, best, null, instead, unknown, compared, beyond);
        return new Sent(asker.coordinator(), answer);
    }

    static BandKeys share(int indexPartition) {
        return BandKeys.owning(new long[] {KEYS.key(indexPartition)});
    }

    SignedDocument signed(String name) {
        return new SignedDocument(ids.getOrDefault(name, name), KEYS, evidence(name), sketchOf(name));
    }

    private BitSketch sketchOf(String name) {
        return sketches.getOrDefault(name, BitSketch.NONE);
    }

    static Evidence evidence(String name) {
        return Evidence.of(name.getBytes(StandardCharsets.UTF_8));
    }

    // ---- what the coordinator uses

    /**
     * The similarity of the whole texts of all pairs.
     *
     * @param newWhole NaN where nobody knows it
     * @param atOnce whether the first comparison gives it; else a match is compared twice
     */
    void whole(double newWhole, boolean atOnce) {
        whole = newWhole;
        isWholeAtOnce = atOnce;
    }

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
        return bitmapped ? Optional.of(new NameBitmap(name(evidence))) : Optional.empty();
    }

    @Override
    public Optional<BitmapFilter> bitmapOfFirst(Evidence evidence) {
        return bitmap(evidence);
    }

    /** It knows all similarities. */
    private final class NameBitmap implements BitmapFilter {
        private final String name;

        NameBitmap(String name) {
            this.name = name;
        }

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
    public void toBands(int indexPartition, ToBands message) {
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
