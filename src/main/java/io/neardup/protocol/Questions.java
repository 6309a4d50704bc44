package io.neardup.protocol;

import io.neardup.protocol.Message.Lookup;
import io.neardup.protocol.Message.Unknown;
import io.neardup.protocol.Message.Verify;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * What a home asks for its pending documents: Lookup to band partitions, Verify to homes. What is not answered is asked
 * again. What others ask it is in {@link OpenQuestions}.
 */
final class Questions {
    /** So many may ask again at once, though none was decided of late. */
    private static final int AGAIN_MIN = 25;

    /** So many are taken out of buckets at once that their homes do not know; others go when they are met again. */
    private static final int UNKNOWN_MAX = 100;

    private final HomeRules rules;
    private final int attempt;
    private final HomeMail mail;
    private long askedAgain;
    /** Documents since the last {@link #askAgain}. */
    private int decided;
    /** Candidates since the last {@link #askAgain}. */
    private int unknown;

    /**
     * The questions of one life of a home.
     *
     * @param attempt counts the starts of the home: an answer from before a start can lack an older document to which
     *     the asker had yielded
     */
    Questions(HomeRules rules, int attempt, HomeMail mail) {
        this.rules = rules;
        this.attempt = attempt;
        this.mail = mail;
    }

    /** Asks all that is not answered. */
    void ask(PendingDocument document, long nowMillis) {
        document.scheduleNextAsk(nowMillis, rules.askAgainMillis());
        for (Partitions.Share share : document.shares()) {
            if (document.awaits(share.bandPartition())) {
                mail.toBands(share.bandPartition(), new Lookup(document.ref(), attempt, share.keys()));
            }
        }
        verify(document, document.unverified());
    }

    /** Whether an answer is one to this life of the home. */
    boolean isCurrent(int answered) {
        return answered == attempt || answered == Message.ATTEMPT_UNKNOWN;
    }

    /** Asks the homes of candidates how similar they are to a document. */
    void verify(PendingDocument asker, Refs candidates) {
        if (candidates.isEmpty()) {
            return;
        }
        RefsBuilder[] byHome = new RefsBuilder[0];
        for (int i = 0; i < candidates.size(); i++) {
            long candidate = candidates.packed(i);
            int home = Ref.home(candidate);
            byHome = home < byHome.length ? byHome : Arrays.copyOf(byHome, home + 1);
            byHome[home] = byHome[home] == null ? new RefsBuilder() : byHome[home];
            byHome[home].add(candidate);
        }
        SignedDocument document = asker.document();
        long arrivalMillis = asker.stamp().arrivalMillis();
        for (int home = 0; home < byHome.length; home++) {
            if (byHome[home] != null) {
                Refs refs = byHome[home].take();
                mail.toHome(
                        home,
                        new Verify(asker.ref(), attempt, arrivalMillis, document.evidence(), document.sketch(), refs));
            }
        }
    }

    /** The home of a candidate does not know it: whoever named it is to take it out of the buckets of the asker. */
    void tellUnknown(PendingDocument asker, Ref candidate) {
        if (++unknown <= UNKNOWN_MAX) {
            asker.shares().forEach(share -> mail.toBands(share.bandPartition(), new Unknown(candidate, share.keys())));
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

    /** A home has forgotten who waited there: the oldest ask at once, the others when they ask again. */
    void askHomeAgain(int home, Stream<PendingDocument> pending) {
        pending.filter(document -> !document.unverified().ofHome(home).isEmpty())
                .limit(rules.bounds().askAgainMax())
                .forEach(document -> verify(document, document.unverified().ofHome(home)));
    }
}
