package io.neardup.protocol;

import io.neardup.protocol.Message.Candidates;
import io.neardup.protocol.Message.Lookup;
import io.neardup.protocol.Message.Remove;
import io.neardup.protocol.Message.ToHome;
import io.neardup.protocol.Message.Verdict;
import io.neardup.protocol.Message.Verify;
import io.neardup.sketch.Evidence;
import io.neardup.sketch.SimilarityJudge;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
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
 *                      c pending, younger than d      -> Verdict: no match; c yields: d becomes a candidate of c
 *                      c a duplicate or unknown       -> Verdict: no match
 * Verdict              all in: the most similar original at or above the threshold makes it a duplicate, none unique
 * unique               into the originals; answer who waits
 * duplicate            Remove to the bands; answer who waits
 * </pre>
 *
 * <p>Waits run only from younger to older, so that nothing deadlocks. A pending document that gets no decision asks
 * again; after a restart all of them do, under a new attempt number, for an answer from before can lack a younger
 * document that had yielded. What a home says to itself is handled at once.
 *
 * @param <P> what leaves with the decision, carried unchanged
 */
public final class DocumentHome<P> {
    private final int home;
    private final HomeRules rules;
    private final Partitions partitions;
    private final SimilarityJudge judge;
    private final HomeState<P> state;
    private final int attempt;

    /** All that is held, in the order of arrival. */
    private final Deque<Slot<P>> queue = new ArrayDeque<>();

    private final Map<Ref, PendingDocument> pending = new HashMap<>();

    /** The decisions of what is held; those made in this step also in decidedNow. */
    private final Map<Ref, Decision> decided = new HashMap<>();

    private final List<Ref> decidedNow = new ArrayList<>();
    private final Deque<ToHome> toSelf = new ArrayDeque<>();
    private long lastArrivalMillis;
    private boolean started;
    private long candidatesDropped;

    /** Finds again what the home held when it stopped; {@link #start} then asks for it. */
    public DocumentHome(int home, HomeRules rules, Partitions partitions, SimilarityJudge judge, HomeState<P> state) {
        this.home = home;
        this.rules = rules;
        this.partitions = partitions;
        this.judge = judge;
        this.state = state;
        this.attempt = state.raiseAttempt();
        state.held().forEach(this::restore);
    }

    private record Slot<P>(Ref ref, P payload) {}

    private void restore(Held<P> held) {
        queue.add(new Slot<>(held.ref(), held.payload()));
        if (held instanceof Held.Decided<P> done) {
            decided.put(done.ref(), done.decision());
        } else if (held instanceof Held.Pending<P> open) {
            add(new Stamp(open.arrivalMillis(), open.ref()), open.document());
        }
    }

    /**
     * To be called once, before anything else: everything pending asks again, before any new document does, so that a
     * single home decides as if it had never stopped.
     */
    public void start(long nowMillis, Outbox<P> outbox) {
        started = true;
        for (Slot<P> slot : queue) {
            PendingDocument document = pending.get(slot.ref());
            if (document != null) {
                ask(document, nowMillis, outbox);
            }
        }
        settle(outbox);
    }

    /** Takes a document to be judged. */
    public void arrive(P payload, SignedDocument document, long nowMillis, Outbox<P> outbox) {
        requireStarted();
        lastArrivalMillis = Math.max(lastArrivalMillis, nowMillis);
        Ref ref = new Ref(home, state.nextSequence());
        state.hold(new Held.Pending<>(ref, lastArrivalMillis, document, payload));
        queue.add(new Slot<>(ref, payload));
        ask(add(new Stamp(lastArrivalMillis, ref), document), nowMillis, outbox);
    }

    /** Takes a record that is unique without being judged; it only keeps its place in the order. */
    public void pass(P payload, Outbox<P> outbox) {
        requireStarted();
        if (queue.isEmpty()) {
            outbox.release(payload, Decision.UNIQUE);
            return;
        }
        Ref ref = new Ref(home, state.nextSequence());
        state.hold(new Held.Decided<>(ref, Decision.UNIQUE, payload));
        queue.add(new Slot<>(ref, payload));
        decided.put(ref, Decision.UNIQUE);
    }

    /** Handles one message. */
    public void receive(ToHome message, Outbox<P> outbox) {
        requireStarted();
        handle(message, outbox);
        settle(outbox);
    }

    /** Lets pending documents whose time has come ask again, the oldest first, as many as the rules allow in one go. */
    public void askAgain(long nowMillis, Outbox<P> outbox) {
        requireStarted();
        int asked = 0;
        for (Slot<P> slot : queue) {
            PendingDocument document = pending.get(slot.ref());
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

    /** How many candidates were left out since the start because a document had too many. */
    public long candidatesDropped() {
        return candidatesDropped;
    }

    private PendingDocument add(Stamp stamp, SignedDocument document) {
        lastArrivalMillis = Math.max(lastArrivalMillis, stamp.arrivalMillis());
        PendingDocument added = new PendingDocument(stamp, document, partitions.split(document.keys()));
        pending.put(stamp.ref(), added);
        return added;
    }

    private void requireStarted() {
        if (!started) {
            throw new IllegalStateException("home " + home + " has not been started");
        }
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
        }
    }

    private void onCandidates(Candidates message, Outbox<P> outbox) {
        PendingDocument document = pending.get(message.document());
        if (document != null && message.attempt() == attempt) {
            document.answered(message.bandPartition(), message.found());
            advance(document, outbox);
        }
    }

    private void onVerdict(Verdict message, Outbox<P> outbox) {
        PendingDocument document = pending.get(message.asker());
        if (document != null) {
            document.judged(message);
            advance(document, outbox);
        }
    }

    private void onVerify(Ref candidate, Verify message, Outbox<P> outbox) {
        PendingDocument document = pending.get(candidate);
        if (document == null) {
            answerAsDecided(candidate, message, outbox);
            return;
        }
        double similarity =
                judge.similarity(message.evidence(), document.document().evidence());
        Stamp askerStamp = new Stamp(message.askerArrivalMillis(), message.asker());
        if (similarity < rules.threshold()) {
            answer(message.asker(), candidate, similarity, null, outbox);
        } else if (document.stamp().isOlderThan(askerStamp)) {
            document.awaitedBy(message.asker(), similarity);
        } else {
            answer(message.asker(), candidate, similarity, null, outbox);
            document.adopt(message.asker());
            advance(document, outbox);
        }
    }

    private void answerAsDecided(Ref candidate, Verify message, Outbox<P> outbox) {
        Optional<Original> original = state.original(candidate);
        double similarity = original.map(o -> judge.similarity(message.evidence(), o.evidence()))
                .orElse(0.0);
        String id = original.map(Original::id).orElse(null);
        answer(message.asker(), candidate, similarity, id, outbox);
    }

    private void answer(Ref asker, Ref candidate, double similarity, @Nullable String originalId, Outbox<P> outbox) {
        send(asker.home(), new Verdict(asker, candidate, similarity, originalId), outbox);
    }

    // ---- deciding

    private void advance(PendingDocument document, Outbox<P> outbox) {
        if (!document.allBandsAnswered()) {
            return;
        }
        verify(document, newCandidates(document), outbox);
        if (document.allCandidatesJudged()) {
            decide(document, outbox);
        }
    }

    private List<Ref> newCandidates(PendingDocument document) {
        List<Ref> found = document.takeFound();
        List<Ref> kept = found.subList(0, Math.min(found.size(), rules.candidatesMax()));
        candidatesDropped += found.size() - kept.size();
        kept.forEach(document::ask);
        return kept;
    }

    private void decide(PendingDocument document, Outbox<P> outbox) {
        Decision decision = document.bestMatch(rules.threshold())
                .<Decision>map(best -> new Decision.Duplicate(
                        best.candidate(), Objects.requireNonNull(best.originalId()), best.similarity()))
                .orElse(Decision.UNIQUE);
        Ref ref = document.ref();
        pending.remove(ref);
        decided.put(ref, decision);
        decidedNow.add(ref);
        boolean unique = decision instanceof Decision.Unique;
        SignedDocument signed = document.document();
        if (unique) {
            state.addOriginal(ref, new Original(signed.id(), signed.evidence()));
        } else {
            for (Partitions.Share share : document.shares()) {
                outbox.toBands(share.bandPartition(), new Remove(ref, share.keys()));
            }
        }
        document.waiters()
                .forEach((asker, similarity) -> answer(asker, ref, similarity, unique ? signed.id() : null, outbox));
    }

    /** Ends a step: what the home said to itself is handled, what can leave leaves, and what must wait is noted. */
    private void settle(Outbox<P> outbox) {
        for (ToHome message = toSelf.poll(); message != null; message = toSelf.poll()) {
            handle(message, outbox);
        }
        for (Slot<P> head = queue.peek(); head != null; head = queue.peek()) {
            Decision decision = decided.remove(head.ref());
            if (decision == null) {
                break;
            }
            queue.remove();
            state.release(head.ref());
            outbox.release(head.payload(), decision);
        }
        for (Ref ref : decidedNow) {
            Decision decision = decided.get(ref);
            if (decision != null) {
                state.decide(ref, decision);
            }
        }
        decidedNow.clear();
    }
}
