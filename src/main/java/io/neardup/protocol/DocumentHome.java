package io.neardup.protocol;

import io.neardup.protocol.Message.Candidates;
import io.neardup.protocol.Message.Lookup;
import io.neardup.protocol.Message.Remove;
import io.neardup.protocol.Message.Started;
import io.neardup.protocol.Message.ToHome;
import io.neardup.protocol.Message.Verdict;
import io.neardup.protocol.Message.Verify;
import io.neardup.sketch.Evidence;
import io.neardup.sketch.Similarity;
import io.neardup.sketch.SimilarityJudge;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The role of an input partition: it takes documents, decides each once, and releases them in the order of arrival.
 *
 * <pre>
 * a document arrives   hold it; Lookup to each band partition that owns one of its buckets
 * Candidates           all answered: none found -> unique; else Verify to the homes of the candidates
 * Verify(c, d)         c original                     -> Verdict: original, with the similarity
 *                      c pending, below the threshold -> Verdict: no match
 *                      c pending, older than d        -> d waits until c is decided
 *                      c pending, younger than d      -> Verdict: no match, with whom c yielded to before;
 *                                                        c yields: d becomes a candidate of c
 *                      c a duplicate or unknown       -> Verdict: no match, with what c repeats if that is still known
 * Verdict              names whom the candidate yielded to, and d is in a crowd: that becomes a candidate of d
 *                      all in: the most similar original at or above the threshold makes it a duplicate, none unique
 * unique               into the originals; answer who waits
 * duplicate            Remove to the bands; answer who waits
 * Started              its home has forgotten who waited there: Verify again, to the candidates of that home
 * a tombstone arrives  forget the originals of its key: Remove to the bands; a pending document of it becomes none
 * an original expires  forget it
 * versions replace     a document with the id of an earlier original is unique all the same, and that one is forgotten
 * </pre>
 *
 * <p>Waits run only from younger to older, so that nothing deadlocks. A pending document that gets no decision asks
 * again. What a home says to itself is handled at once.
 *
 * <p>After a restart the input is read again from {@link #positions} on, and what had not left arrives again with its ref
 * and stamp; what was decided stays so. Documents ask under a new attempt number, for an answer from before can lack a
 * younger one that had yielded. Who waited in an earlier life is forgotten, so the home {@linkplain #announce announces} itself,
 * and they ask at once. One that is asked for before it has arrived again will ask by itself where it is the
 * younger, and else the asker waits for it.
 *
 * @param <P> what leaves with the decision, carried unchanged
 */
public final class DocumentHome<P> {
    /** What has not arrived again so long after the start is gone from the input: nobody waits for it any more. */
    private static final long COME_AGAIN_MILLIS_MAX = 600_000;

    private final int home;
    private final HomeRules rules;
    private final Partitions partitions;
    private final SimilarityJudge judge;
    private final HomeState state;
    private final Numbering numbering;
    private final int attempt;

    /** All that is held, in the order of arrival. */
    private final Deque<Held<P>> queue = new ArrayDeque<>();

    /** The held that are not decided. */
    private final Map<Ref, Held<P>> undecided = new HashMap<>();

    private final List<Held<P>> decidedNow = new ArrayList<>();

    private final EarlyQuestions early = new EarlyQuestions();
    private final RecentDuplicates recentDuplicates = new RecentDuplicates();

    private final Deque<ToHome> toSelf = new ArrayDeque<>();

    /** Pending documents that waited for an earlier one with their id, which is decided now. */
    private final Deque<Ref> nextVersions = new ArrayDeque<>();

    private final Originals originals;

    /** By record key, the tombstones that are held. */
    private final SequencesByKey<RecordKey> tombstones = new SequencesByKey<>();

    /** By id, what is pending, where versions are replaced. */
    private final SequencesByKey<String> pendingById = new SequencesByKey<>();

    /** What was forgotten while it was held, so that its decision is noted. */
    private final Set<Ref> notedUnique = new HashSet<>();

    private long firstAskMillis = -1;
    private long candidatesDropped;
    private long forgotten;

    public DocumentHome(int home, HomeRules rules, Partitions partitions, SimilarityJudge judge, HomeState state) {
        this.home = home;
        this.rules = rules;
        this.partitions = partitions;
        this.judge = judge;
        this.state = state;
        this.attempt = state.raiseAttempt();
        this.numbering = new Numbering(home, state);
        this.originals = new Originals(state, rules.retention());
    }

    /** By topic, where to read on after a start; topics never read are not there. */
    public Map<String, InputPosition> positions() {
        return numbering.positions();
    }

    /** Nothing that an earlier life read of this topic comes again: nobody waits for it. */
    public void expectNothingAgain(String topic) {
        numbering.expectNothingAgain(topic);
    }

    /**
     * To be called once, when messages can be sent: who waited for a document in an earlier life of this home asks at once. Where the
     * message is lost they ask again anyway, later.
     */
    public void announce(Outbox<P> outbox) {
        if (attempt > 1) {
            outbox.toAllHomes(new Started(home));
        }
    }

    /** Takes a document to be judged. */
    public void arrive(
            InputOffset at, P payload, SignedDocument document, Origin origin, long nowMillis, Outbox<P> outbox) {
        Stamp stamp = numbering.number(at, nowMillis);
        originals.clock().see(origin.timestampMillis(), nowMillis);
        Held<P> held = hold(stamp.ref(), at, payload);
        if (!held.isDecided()) {
            long timestampMillis = originals.clock().clamp(origin.timestampMillis(), nowMillis);
            Origin clamped = new Origin(origin.key(), timestampMillis);
            PendingDocument pending = new PendingDocument(stamp, document, clamped, partitions.split(document.keys()));
            held.awaitDecision(pending);
            undecided.put(held.ref(), held);
            if (replacesVersions()) {
                pendingById.add(document.id(), held.ref().sequence());
            }
            ask(pending, nowMillis, outbox);
        }
        answerEarly(held.ref(), outbox);
        settle(outbox);
    }

    /** Takes a record that is not judged; it only keeps its place in the order. */
    public void pass(InputOffset at, P payload, long nowMillis, Outbox<P> outbox) {
        Stamp stamp = numbering.number(at, nowMillis);
        Held<P> held = hold(stamp.ref(), at, payload);
        if (!held.isDecided()) {
            held.decide(Decision.UNJUDGED);
        }
        answerEarly(held.ref(), outbox);
        settle(outbox);
    }

    /**
     * Takes a tombstone: what came before it under its key is no original any more. It keeps its place in the order as any record
     * that is not judged.
     */
    public void takeBack(InputOffset at, P payload, RecordKey key, long nowMillis, Outbox<P> outbox) {
        Stamp stamp = numbering.number(at, nowMillis);
        long sequence = stamp.ref().sequence();
        Held<P> held = hold(stamp.ref(), at, payload);
        held.takesBack(key);
        tombstones.add(key, sequence);
        if (!held.isDecided()) {
            held.decide(Decision.UNJUDGED);
        }
        originals.ofKeyBefore(key, sequence).forEach(entry -> forget(entry, outbox));
        answerEarly(held.ref(), outbox);
        settle(outbox);
    }

    /**
     * Forgets originals whose time has come, the oldest first, as many as the rules allow in one go.
     *
     * @return whether there may be more
     */
    public boolean expire(Outbox<P> outbox) {
        boolean more = originals.expire(entry -> forget(entry, outbox));
        settle(outbox);
        return more;
    }

    /** What was decided stays so, for the record itself and for those that were told. */
    private void forget(HomeState.Entry entry, Outbox<P> outbox) {
        Ref ref = entry.ref();
        originals.remove(ref, entry.original());
        forgotten++;
        if (numbering.isHeld(ref)) {
            state.decide(ref, Decision.UNIQUE);
            notedUnique.add(ref);
        }
        remove(ref, partitions.split(entry.original().keys()), outbox);
    }

    /** It was decided in an earlier life and never left, and its record is gone from the input: nobody may repeat it. */
    private void forgetSkipped(Ref ref, Outbox<P> outbox) {
        state.original(ref).ifPresent(known -> forget(new HomeState.Entry(ref, known), outbox));
        state.decision(ref).ifPresent(decision -> state.forgetDecision(ref));
    }

    private static <P> void remove(Ref ref, List<Partitions.Share> shares, Outbox<P> outbox) {
        for (Partitions.Share share : shares) {
            outbox.toBands(share.bandPartition(), new Remove(ref, share.keys()));
        }
    }

    private boolean isTakenBack(PendingDocument document) {
        return tombstones
                .after(document.origin().key(), document.ref().sequence())
                .isPresent();
    }

    private boolean replacesVersions() {
        return rules.versions() == Versions.REPLACE;
    }

    private Held<P> hold(Ref ref, InputOffset at, P payload) {
        Held<P> held = new Held<>(ref, at, payload);
        queue.add(held);
        if (numbering.isOfEarlierLife(ref.sequence())) {
            recallDecision(held);
        }
        return held;
    }

    private void recallDecision(Held<P> held) {
        if (state.original(held.ref()).isPresent()) {
            held.decide(Decision.UNIQUE);
            return;
        }
        state.decision(held.ref()).ifPresent(decision -> {
            held.decide(decision);
            held.note();
            noteDuplicate(held.ref(), decision);
        });
    }

    private void noteDuplicate(Ref ref, Decision decision) {
        if (decision instanceof Decision.Duplicate duplicate) {
            recentDuplicates.add(ref, duplicate.original());
        }
    }

    private @Nullable PendingDocument pending(Ref ref) {
        Held<P> held = undecided.get(ref);
        return held == null ? null : held.pending();
    }

    /** Handles one message. */
    public void receive(ToHome message, Outbox<P> outbox) {
        handle(message, outbox);
        settle(outbox);
    }

    /** Lets pending documents whose time has come ask again, the oldest first, as many as the rules allow in one go. */
    public void askAgain(long nowMillis, Outbox<P> outbox) {
        answerForGone(nowMillis, outbox);
        int asked = 0;
        for (Held<P> held : queue) {
            PendingDocument document = held.pending();
            if (document != null && document.isDueToAsk(nowMillis)) {
                ask(document, nowMillis, outbox);
                if (++asked == rules.askAgainMax()) {
                    break;
                }
            }
        }
        settle(outbox);
    }

    /** How many documents are held: pending, or decided and waiting for an earlier one. */
    public int held() {
        return queue.size();
    }

    /** Whether another home waits for a document that has not arrived again since the start. */
    public boolean awaitsArrivals() {
        return !early.isEmpty();
    }

    /** How many candidates were left out since the start because a document had too many. */
    public long candidatesDropped() {
        return candidatesDropped;
    }

    /** How many originals were forgotten since the start: expired, or taken back. */
    public long forgotten() {
        return forgotten;
    }

    // ---- asking

    private void ask(PendingDocument document, long nowMillis, Outbox<P> outbox) {
        document.scheduleNextAsk(nowMillis, rules.askAgainMillis());
        for (Partitions.Share share : document.shares()) {
            if (document.awaits(share.bandPartition())) {
                outbox.toBands(share.bandPartition(), new Lookup(document.ref(), attempt, share.keys()));
            }
        }
        verify(document, document.unjudged(), outbox);
    }

    private void verify(PendingDocument asker, List<Ref> candidates, Outbox<P> outbox) {
        if (candidates.isEmpty()) {
            return;
        }
        Map<Integer, List<Ref>> byHome = new TreeMap<>();
        for (Ref candidate : candidates) {
            byHome.computeIfAbsent(candidate.home(), h -> new ArrayList<>()).add(candidate);
        }
        Evidence evidence = asker.document().evidence();
        long arrivalMillis = asker.stamp().arrivalMillis();
        byHome.forEach((candidatesHome, refs) ->
                send(candidatesHome, new Verify(asker.ref(), arrivalMillis, evidence, refs), outbox));
    }

    private void send(int receiver, ToHome message, Outbox<P> outbox) {
        if (receiver == home) {
            toSelf.add(message);
        } else {
            outbox.toHome(receiver, message);
        }
    }

    // ---- answers

    private void handle(ToHome message, Outbox<P> outbox) {
        if (message instanceof Candidates candidates) {
            onCandidates(candidates, outbox);
        } else if (message instanceof Verify verify) {
            verify.candidates().forEach(candidate -> onVerify(candidate, verify, outbox));
        } else if (message instanceof Verdict verdict) {
            onVerdict(verdict, outbox);
        } else if (message instanceof Started started && started.home() != home) {
            onStarted(started.home(), outbox);
        }
    }

    private void onCandidates(Candidates message, Outbox<P> outbox) {
        PendingDocument document = pending(message.document());
        if (document != null && message.attempt() == attempt) {
            document.answered(message.bandPartition(), message.found());
            advance(document, outbox);
        }
    }

    private void onVerdict(Verdict message, Outbox<P> outbox) {
        PendingDocument document = pending(message.asker());
        if (document != null) {
            document.judged(message);
            Ref yieldedTo = message.yieldedTo();
            if (yieldedTo != null && !yieldedTo.equals(message.asker()) && document.isInCrowd()) {
                document.adopt(yieldedTo);
            }
            advance(document, outbox);
        }
    }

    /** The oldest ask, as many as the rules allow in one go; the others when they ask again. */
    private void onStarted(int started, Outbox<P> outbox) {
        int asked = 0;
        for (Held<P> held : queue) {
            PendingDocument document = held.pending();
            List<Ref> forgetful = document == null ? List.of() : document.unjudgedOf(started);
            if (document != null && !forgetful.isEmpty()) {
                verify(document, forgetful, outbox);
                if (++asked == rules.askAgainMax()) {
                    break;
                }
            }
        }
    }

    private void onVerify(Ref candidate, Verify message, Outbox<P> outbox) {
        PendingDocument document = pending(candidate);
        if (document == null) {
            answerAsNotPending(candidate, message, outbox);
            return;
        }
        Similarity similarity =
                judge.similarity(message.evidence(), document.document().evidence());
        Stamp askerStamp = new Stamp(message.askerArrivalMillis(), message.asker());
        if (similarity.value() < rules.threshold()) {
            answer(message.asker(), candidate, similarity, null, outbox);
        } else if (document.stamp().isOlderThan(askerStamp)) {
            document.awaitedBy(message.asker(), similarity);
        } else {
            answer(message.asker(), candidate, similarity, document.yieldedTo(), outbox);
            document.yieldTo(askerStamp);
            advance(document, outbox);
        }
    }

    private void answerAsNotPending(Ref candidate, Verify message, Outbox<P> outbox) {
        Optional<Original> original = originals.find(candidate);
        if (original.isEmpty() && mustWaitToCome(candidate, message)) {
            early.add(candidate, message);
            return;
        }
        Similarity similarity = original.map(known -> judge.similarity(message.evidence(), known.evidence()))
                .orElse(Similarity.NONE);
        original.filter(known -> similarity.value() >= rules.threshold())
                .ifPresent(known -> originals.repeat(candidate, known));
        String id = original.map(Original::id).orElse(null);
        Ref repeated = recentDuplicates.repeatedBy(candidate);
        send(message.asker().home(), new Verdict(message.asker(), candidate, similarity, id, repeated), outbox);
    }

    private boolean mustWaitToCome(Ref candidate, Verify message) {
        Stamp asker = new Stamp(message.askerArrivalMillis(), message.asker());
        return numbering
                .stillToCome(candidate)
                .filter(stamp -> stamp.isOlderThan(asker))
                .isPresent();
    }

    private void answerEarly(Ref document, Outbox<P> outbox) {
        if (!early.isEmpty()) {
            early.take(document).forEach(verify -> onVerify(document, verify, outbox));
        }
    }

    /** Answers for what will not arrive any more. */
    private void answerForGone(long nowMillis, Outbox<P> outbox) {
        firstAskMillis = firstAskMillis < 0 ? nowMillis : firstAskMillis;
        if (nowMillis - firstAskMillis > COME_AGAIN_MILLIS_MAX) {
            numbering.expectNothingAgain();
        }
        for (Ref document : early.documents()) {
            if (numbering.stillToCome(document).isEmpty()) {
                answerEarly(document, outbox);
            }
        }
    }

    /** Answers that a pending candidate is no match. */
    private void answer(Ref asker, Ref candidate, Similarity similarity, @Nullable Ref yieldedTo, Outbox<P> outbox) {
        send(asker.home(), new Verdict(asker, candidate, similarity, null, yieldedTo), outbox);
    }

    // ---- deciding

    private void advance(PendingDocument document, Outbox<P> outbox) {
        if (!document.allBandsAnswered()) {
            return;
        }
        verify(document, newCandidates(document), outbox);
        if (document.allCandidatesJudged() && !awaitsEarlierVersion(document)) {
            decide(document, outbox);
        }
    }

    private void advance(Ref ref, Outbox<P> outbox) {
        PendingDocument document = pending(ref);
        if (document != null) {
            advance(document, outbox);
        }
    }

    private boolean awaitsEarlierVersion(PendingDocument document) {
        return replacesVersions()
                && pendingById.hasBefore(
                        document.document().id(), document.ref().sequence());
    }

    private List<Ref> newCandidates(PendingDocument document) {
        List<Ref> candidates = new ArrayList<>(document.takeAdopted());
        candidates.forEach(document::ask);
        List<Ref> found = document.takeFound();
        List<Ref> kept = found.subList(0, Math.min(found.size(), rules.candidatesMax()));
        candidatesDropped += found.size() - kept.size();
        kept.forEach(document::ask);
        if (document.candidates() >= rules.crowdMin()) {
            document.noteCrowd();
        }
        candidates.addAll(kept);
        return candidates;
    }

    private void decide(PendingDocument document, Outbox<P> outbox) {
        boolean replaces = replacesVersions() && replaceEarlierVersions(document, outbox);
        letNextVersionGoOn(document);
        Decision decision = replaces ? Decision.UNIQUE : byBestMatch(document);
        Ref ref = document.ref();
        Held<P> held = Objects.requireNonNull(undecided.remove(ref));
        held.decide(decision);
        decidedNow.add(held);
        noteDuplicate(ref, decision);
        boolean original = decision instanceof Decision.Unique && !isTakenBack(document) && !isReplaced(document);
        if (original) {
            keep(document);
            held.keep();
        } else {
            remove(ref, document.shares(), outbox);
        }
        answerWaiters(document, original ? document.document().id() : null, outbox);
    }

    private void answerWaiters(PendingDocument document, @Nullable String originalId, Outbox<P> outbox) {
        Ref ref = document.ref();
        Ref repeated = recentDuplicates.repeatedBy(ref);
        document.waiters()
                .forEach((asker, similarity) ->
                        send(asker.home(), new Verdict(asker, ref, similarity, originalId, repeated), outbox));
    }

    private void keep(PendingDocument document) {
        SignedDocument signed = document.document();
        Original original = new Original(signed.id(), document.origin(), signed.keys(), signed.evidence());
        originals.add(document.ref(), original);
        if (!document.waiters().isEmpty()) {
            originals.repeat(document.ref(), original);
        }
    }

    private Decision byBestMatch(PendingDocument document) {
        return document.bestMatch(rules.threshold())
                .<Decision>map(best -> new Decision.Duplicate(
                        best.candidate(), Objects.requireNonNull(best.originalId()), best.similarity()))
                .orElse(Decision.UNIQUE);
    }

    /** Forgets the originals that a document is a new version of; returns whether there are any. */
    private boolean replaceEarlierVersions(PendingDocument document, Outbox<P> outbox) {
        String id = document.document().id();
        long sequence = document.ref().sequence();
        List<HomeState.Entry> earlier = originals.ofIdBefore(id, sequence);
        boolean replaces = earlier.stream().anyMatch(entry -> !originals.isExpired(entry.ref(), entry.original()));
        earlier.forEach(entry -> forget(entry, outbox));
        return replaces;
    }

    private void letNextVersionGoOn(PendingDocument document) {
        String id = document.document().id();
        long sequence = document.ref().sequence();
        pendingById.remove(id, sequence);
        pendingById.after(id, sequence).ifPresent(next -> nextVersions.add(new Ref(home, next)));
    }

    /** After a restart a later version from another topic can be first. */
    private boolean isReplaced(PendingDocument document) {
        return replacesVersions()
                && originals.hasOfIdAfter(
                        document.document().id(), document.ref().sequence());
    }

    /** Ends a step: what the home said to itself is handled, what can leave leaves, and what must wait is noted. */
    private void settle(Outbox<P> outbox) {
        while (!toSelf.isEmpty() || !nextVersions.isEmpty()) {
            if (toSelf.isEmpty()) {
                advance(nextVersions.remove(), outbox);
            } else {
                handle(toSelf.remove(), outbox);
            }
        }
        numbering.takeSkipped().forEach(ref -> forgetSkipped(ref, outbox));
        for (Held<P> head = queue.peek(); head != null && head.isDecided(); head = queue.peek()) {
            release(queue.remove(), outbox);
        }
        decidedNow.forEach(this::noteIfHeld);
        decidedNow.clear();
        numbering.endStep();
    }

    private void release(Held<P> held, Outbox<P> outbox) {
        boolean forgotten = notedUnique.remove(held.ref());
        if (forgotten || held.isNoted()) {
            state.forgetDecision(held.ref());
        }
        forgetTombstone(held);
        held.leave();
        numbering.left(held.at(), held.ref());
        outbox.release(held.payload(), held.decision());
    }

    private void forgetTombstone(Held<P> held) {
        RecordKey key = held.keyTakenBack();
        if (key != null) {
            tombstones.remove(key, held.ref().sequence());
        }
    }

    /** A decision that cannot leave with the step that made it must not be made anew. */
    private void noteIfHeld(Held<P> held) {
        if (!held.hasLeft() && !held.isKept()) {
            state.decide(held.ref(), held.decision());
            held.note();
        }
    }
}
