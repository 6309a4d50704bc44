package io.neardup.protocol;

import io.neardup.protocol.Message.Verdict;
import io.neardup.sketch.Similarity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A document on its way to a decision: what it asked, what was answered, and who waits for it. Everything here but the
 * stamp and the document can be rebuilt by asking again.
 */
final class PendingDocument {
    private final Stamp stamp;
    private final SignedDocument document;
    private final Origin origin;
    private final List<Partitions.Share> shares;
    /** One a share. */
    private final boolean[] answered;

    private int unanswered;
    // Most documents have no candidates and nobody who waits: their maps are never made.
    private List<List<Ref>> found = List.of();
    private Set<Ref> adopted = Set.of();
    private Map<Ref, Optional<Verdict>> asked = Map.of();
    private Map<Ref, Similarity> waiters = Map.of();
    private int verdictsMissing;
    private boolean inCrowd;
    private @Nullable Stamp yieldedTo;
    private long nextAskMillis;
    private boolean askedOnce;

    PendingDocument(Stamp stamp, SignedDocument document, Origin origin, List<Partitions.Share> shares) {
        this.stamp = stamp;
        this.document = document;
        this.origin = origin;
        this.shares = shares;
        this.answered = new boolean[shares.size()];
        this.unanswered = shares.size();
    }

    Stamp stamp() {
        return stamp;
    }

    Ref ref() {
        return stamp.ref();
    }

    SignedDocument document() {
        return document;
    }

    Origin origin() {
        return origin;
    }

    /** Its band keys, by the band partition that owns them. */
    List<Partitions.Share> shares() {
        return shares;
    }

    boolean awaits(int bandPartition) {
        int share = shareOf(bandPartition);
        return share >= 0 && !answered[share];
    }

    private int shareOf(int bandPartition) {
        for (int i = 0; i < answered.length; i++) {
            if (shares.get(i).bandPartition() == bandPartition) {
                return i;
            }
        }
        return -1;
    }

    /** Takes the answer of a band partition; one that answered already changes nothing. */
    void addFound(int bandPartition, Found inBuckets) {
        if (!awaits(bandPartition)) {
            return;
        }
        answered[shareOf(bandPartition)] = true;
        unanswered--;
        inCrowd |= inBuckets.leftOut() > 0;
        if (!inBuckets.candidates().isEmpty()) {
            found = found.isEmpty() ? new ArrayList<>() : found;
            found.add(inBuckets.candidates());
        }
    }

    boolean allBandsAnswered() {
        return unanswered == 0;
    }

    /**
     * Notes that there are so many candidates that those who belong together need not have been named to each other.
     */
    void noteCrowd() {
        inCrowd = true;
    }

    boolean isInCrowd() {
        return inCrowd;
    }

    /** Makes a document a candidate that others tell of: an older one that asks, or whom a candidate yielded to. */
    void adopt(Ref other) {
        if (adopted.isEmpty()) {
            adopted = new LinkedHashSet<>();
        }
        adopted.add(other);
    }

    /** The adopted ones that are new since the last call. */
    List<Ref> takeAdopted() {
        if (adopted.isEmpty()) {
            return List.of();
        }
        List<Ref> taken =
                adopted.stream().filter(ref -> !asked.containsKey(ref)).toList();
        adopted = Set.of();
        return taken;
    }

    /**
     * The candidates that are new since the last call: the first that each band partition named, then the second of
     * each.
     */
    List<Ref> takeFound() {
        if (found.isEmpty()) {
            return List.of();
        }
        Set<Ref> candidates = new LinkedHashSet<>();
        int most = found.stream().mapToInt(List::size).max().orElse(0);
        for (int turn = 0; turn < most; turn++) {
            for (List<Ref> named : found) {
                if (turn < named.size() && !asked.containsKey(named.get(turn))) {
                    candidates.add(named.get(turn));
                }
            }
        }
        found = List.of();
        return List.copyOf(candidates);
    }

    /** How many candidates were asked by now. */
    int candidates() {
        return asked.size();
    }

    /** Notes that a candidate is asked. */
    void ask(Ref candidate) {
        if (asked.isEmpty()) {
            asked = new LinkedHashMap<>();
        }
        if (asked.putIfAbsent(candidate, Optional.empty()) == null) {
            verdictsMissing++;
        }
    }

    /** Takes an answer; one that was not asked for or came before changes nothing. */
    void addVerdict(Verdict verdict) {
        Optional<Verdict> known = asked.get(verdict.candidate());
        if (known != null && known.isEmpty()) {
            asked.put(verdict.candidate(), Optional.of(verdict));
            verdictsMissing--;
        }
    }

    boolean allCandidatesJudged() {
        return verdictsMissing == 0;
    }

    /** The candidates that were asked about and have no verdict. */
    List<Ref> withoutVerdict() {
        if (verdictsMissing == 0) {
            return List.of();
        }
        List<Ref> open = new ArrayList<>(verdictsMissing);
        asked.forEach((candidate, verdict) -> {
            if (verdict.isEmpty()) {
                open.add(candidate);
            }
        });
        return open;
    }

    /** Those of them that are of one home. */
    List<Ref> withoutVerdictOf(int home) {
        return withoutVerdict().stream().filter(ref -> ref.home() == home).toList();
    }

    /** The most similar original at or above the threshold, of equal ones the first by ref. */
    Optional<Verdict> bestMatch(double threshold) {
        if (asked.isEmpty()) {
            return Optional.empty();
        }
        return asked.values().stream()
                .flatMap(Optional::stream)
                .filter(verdict ->
                        verdict.originalId() != null && verdict.similarity().value() >= threshold)
                .max(Comparator.<Verdict>comparingDouble(
                                verdict -> verdict.similarity().value())
                        .thenComparing(Verdict::candidate, Comparator.reverseOrder()));
    }

    /** Gives way to an older one that asks. */
    void yieldTo(Stamp older) {
        adopt(older.ref());
        if (yieldedTo == null || older.isOlderThan(yieldedTo)) {
            yieldedTo = older;
        }
    }

    /** The oldest that it yielded to, null if to none. */
    @Nullable
    Ref yieldedTo() {
        return yieldedTo == null ? null : yieldedTo.ref();
    }

    void addWaiter(Ref asker, Similarity similarity) {
        if (waiters.isEmpty()) {
            waiters = new LinkedHashMap<>();
        }
        waiters.put(asker, similarity);
    }

    /** Who waits for the decision, with the similarity of that document, first, and this one. */
    Map<Ref, Similarity> waiters() {
        return waiters;
    }

    boolean isDueToAsk(long nowMillis) {
        return nowMillis >= nextAskMillis;
    }

    /**
     * Sets when to ask again if no decision came: after the first interval, and then after twice that each time. Who
     * waits at a home that is started again is forgotten there: longer intervals would let it wait longer with each
     * start.
     */
    void scheduleNextAsk(long nowMillis, long firstIntervalMillis) {
        nextAskMillis = nowMillis + (askedOnce ? 2 * firstIntervalMillis : firstIntervalMillis);
        askedOnce = true;
    }
}
