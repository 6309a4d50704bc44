package io.neardup.engine.protocol;

import io.neardup.engine.protocol.DocumentCoordinator.LoopbackOutbox;
import io.neardup.engine.protocol.Message.Lookup;
import io.neardup.engine.protocol.Message.Unknown;
import io.neardup.engine.protocol.Message.Verify;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a coordinator asks for its pending documents: Lookup to index partitions, Verify to coordinators. What is not
 * answered is asked again. What others ask it is in {@link VerificationHandler}.
 */
final class VerificationClient {
    /** So many may ask again at once, though none was decided of late. */
    private static final int AGAIN_MIN = 25;

    /**
     * So many are taken out of buckets at once that their coordinators do not know; others go when they are met again.
     */
    private static final int UNKNOWN_MAX = 100;

    private final CoordinatorRules rules;
    private final int epoch;
    private final LoopbackOutbox outbox;
    private long askedAgain;
    /** Documents since the last {@link #askAgain}. */
    private int decided;
    /** Candidates since the last {@link #askAgain}. */
    private int unknown;

    /** @param epoch of the coordinator: it comes back in the answers */
    VerificationClient(CoordinatorRules rules, int epoch, LoopbackOutbox outbox) {
        this.rules = rules;
        this.epoch = epoch;
        this.outbox = outbox;
    }

    void ask(PendingDocument document, long nowMillis) {
        document.scheduleNextAsk(nowMillis, rules.askAgainMillis());
        for (Partitions.Share share : document.shares()) {
            if (document.awaits(share.indexPartition())) {
                outbox.toBands(share.indexPartition(), new Lookup(document.ref(), epoch, share.keys()));
            }
        }
        verify(document, document.candidates().unverified());
    }

    /** Asks the coordinators of candidates how similar they are to a document. */
    void verify(PendingDocument asker, DocumentRefs candidates) {
        Map<Integer, DocumentRefs.Builder> byCoordinator = new TreeMap<>();
        for (int i = 0; i < candidates.size(); i++) {
            long candidate = candidates.packed(i);
            byCoordinator
                    .computeIfAbsent(DocumentRef.coordinator(candidate), coordinator -> new DocumentRefs.Builder())
                    .add(candidate);
        }
        SignedDocument document = asker.document();
        long arrivalMillis = asker.order().arrivalMillis();
        byCoordinator.forEach((coordinator, refs) -> outbox.toCoordinator(
                coordinator,
                new Verify(asker.ref(), epoch, arrivalMillis, document.evidence(), document.sketch(), refs.take())));
    }

    /**
     * The coordinator of a candidate does not know it: the index partitions that returned it are to take it out of the
     * buckets of the asker.
     */
    void reportUnknown(PendingDocument asker, DocumentRef candidate) {
        if (++unknown <= UNKNOWN_MAX) {
            asker.shares()
                    .forEach(share -> outbox.toBands(share.indexPartition(), new Unknown(candidate, share.keys())));
        }
    }

    void noteDecided() {
        decided++;
    }

    /**
     * Those whose time has come ask again, the oldest first: as many as a step may, and twice as many as were decided
     * since the last time. Where answers are late as there is too much to do, more requests would make them later;
     * where requests were lost, more are answered each time.
     */
    void askAgain(Stream<PendingDocument> pending, long nowMillis) {
        int max = Math.min(rules.bounds().askAgainMax(), Math.max(AGAIN_MIN, 2 * decided));
        decided = 0;
        unknown = 0;
        pending.filter(document -> document.isDueToAsk(nowMillis)).limit(max).forEach(document -> {
            askedAgain++;
            ask(document, nowMillis);
        });
    }

    /** How often documents asked again since the start, as no answer had come. */
    long askedAgain() {
        return askedAgain;
    }

    /** A coordinator has forgotten who waited there: the oldest ask at once, the others when they ask again. */
    void askCoordinatorAgain(int coordinator, Stream<PendingDocument> pending) {
        pending.filter(document -> !document.candidates()
                        .unverified()
                        .ofCoordinator(coordinator)
                        .isEmpty())
                .limit(rules.bounds().askAgainMax())
                .forEach(document ->
                        verify(document, document.candidates().unverified().ofCoordinator(coordinator)));
    }
}
