package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.Lookup;
import io.neardup.engine.protocol.Message.Unknown;
import io.neardup.engine.protocol.Message.Verify;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * What a coordinator asks for its pending documents: Lookup to index partitions, Verify to coordinators. What is not
 * answered is asked again. What others ask it is in {@link VerificationSessions}.
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
    private final CoordinatorMail mail;
    private long askedAgain;
    /** Documents since the last {@link #askAgain}. */
    private int decided;
    /** Candidates since the last {@link #askAgain}. */
    private int unknown;

    /**
     * The questions of one life of a coordinator.
     *
     * @param epoch counts the starts of the coordinator: an answer from before a start can lack an older document to
     *     which the asker had yielded
     */
    VerificationClient(CoordinatorRules rules, int epoch, CoordinatorMail mail) {
        this.rules = rules;
        this.epoch = epoch;
        this.mail = mail;
    }

    /** Asks all that is not answered. */
    void ask(PendingDocument document, long nowMillis) {
        document.scheduleNextAsk(nowMillis, rules.askAgainMillis());
        for (Partitions.Share share : document.shares()) {
            if (document.awaits(share.indexPartition())) {
                mail.toBands(share.indexPartition(), new Lookup(document.ref(), epoch, share.keys()));
            }
        }
        verify(document, document.unverified());
    }

    /** Whether an answer is one to this life of the coordinator. */
    boolean isCurrent(int answered) {
        return answered == epoch || answered == Message.EPOCH_UNKNOWN;
    }

    /** Asks the coordinators of candidates how similar they are to a document. */
    void verify(PendingDocument asker, DocumentRefs candidates) {
        if (candidates.isEmpty()) {
            return;
        }
        DocumentRefsBuilder[] byCoordinator = new DocumentRefsBuilder[0];
        for (int i = 0; i < candidates.size(); i++) {
            long candidate = candidates.packed(i);
            int coordinator = DocumentRef.coordinator(candidate);
            byCoordinator =
                    coordinator < byCoordinator.length ? byCoordinator : Arrays.copyOf(byCoordinator, coordinator + 1);
            byCoordinator[coordinator] =
                    byCoordinator[coordinator] == null ? new DocumentRefsBuilder() : byCoordinator[coordinator];
            byCoordinator[coordinator].add(candidate);
        }
        SignedDocument document = asker.document();
        long arrivalMillis = asker.order().arrivalMillis();
        for (int coordinator = 0; coordinator < byCoordinator.length; coordinator++) {
            if (byCoordinator[coordinator] != null) {
                DocumentRefs refs = byCoordinator[coordinator].take();
                mail.toCoordinator(
                        coordinator,
                        new Verify(asker.ref(), epoch, arrivalMillis, document.evidence(), document.sketch(), refs));
            }
        }
    }

    /**
     * The coordinator of a candidate does not know it: whoever named it is to take it out of the buckets of the asker.
     */
    void tellUnknown(PendingDocument asker, DocumentRef candidate) {
        if (++unknown <= UNKNOWN_MAX) {
            asker.shares().forEach(share -> mail.toBands(share.indexPartition(), new Unknown(candidate, share.keys())));
        }
    }

    /** A document is decided. */
    void noteDecided() {
        decided++;
    }

    /**
     * Those whose time has come ask again, the oldest first: as many as a step may, and twice as many as were decided
     * since the last time. Where answers are late as there is too much to do, more questions would make them later;
     * where questions were lost, more are answered each time.
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
        pending.filter(document ->
                        !document.unverified().ofCoordinator(coordinator).isEmpty())
                .limit(rules.bounds().askAgainMax())
                .forEach(document -> verify(document, document.unverified().ofCoordinator(coordinator)));
    }
}
