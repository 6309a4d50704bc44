package io.neardup.engine.protocol;

import io.neardup.engine.protocol.DocumentCoordinator.LoopbackOutbox;
import io.neardup.engine.protocol.DocumentCoordinator.RequestOutbox;
import io.neardup.engine.protocol.Message.Lookup;
import io.neardup.engine.protocol.Message.Unknown;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.protocol.PendingDocument.Request;
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
        lookUp(document, epoch, outbox);
        document.unanswered().forEach(request -> verify(document, request, epoch, outbox));
    }

    /** Asks what a document is to ask now, if anything. */
    void askNext(PendingDocument document) {
        document.nextRequests(rules.candidates().manyMin())
                .forEach(request -> verify(document, request, epoch, outbox));
    }

    /** Asks each index partition that has not answered. */
    static void lookUp(PendingDocument document, int epoch, RequestOutbox outbox) {
        for (Partitions.Share share : document.shares()) {
            if (document.awaits(share.indexPartition())) {
                outbox.toBands(share.indexPartition(), new Lookup(document.ref(), epoch, share.keys()));
            }
        }
    }

    /** Asks a coordinator. */
    static void verify(PendingDocument asker, Request request, int epoch, RequestOutbox outbox) {
        SignedDocument document = asker.document();
        outbox.toCoordinator(
                request.coordinator(),
                new Verify(
                        asker.ref(),
                        epoch,
                        request.number(),
                        asker.order().arrivalMillis(),
                        document.evidence(),
                        document.sketch(),
                        request.candidates()));
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
        pending.filter(document -> document.unanswered().anyMatch(request -> request.coordinator() == coordinator))
                .limit(rules.bounds().askAgainMax())
                .forEach(document -> document.unanswered()
                        .filter(request -> request.coordinator() == coordinator)
                        .forEach(request -> verify(document, request, epoch, outbox)));
    }
}
