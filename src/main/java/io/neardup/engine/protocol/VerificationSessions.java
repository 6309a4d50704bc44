package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.Verify;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Questions to a coordinator that are still to be answered, in the order in which they came: a step answers as many as
 * its bound allows. A crash forgets them, and then they are asked again. What the coordinator itself asks is in
 * {@link VerificationClient}.
 */
final class VerificationSessions {
    private static final long BYTES_MAX = 64L << 20;

    private final Map<DocumentRef, VerificationSession> byAsker = new LinkedHashMap<>();
    private long bytes;
    private long dropped;

    boolean isEmpty() {
        return byAsker.isEmpty();
    }

    /**
     * Takes a question; one that is repeated counts once. Beyond {@value #BYTES_MAX} bytes it is dropped,
     * as if the message were lost: who asked will ask again.
     *
     * @param sift sifts what it can at once: few candidates are left to wait
     */
    void add(Verify question, BiConsumer<VerificationSession, DocumentRefs> sift) {
        VerificationSession known = byAsker.get(question.asker());
        if (known != null && question.epoch() < known.question().epoch()) {
            return; // Who asked has started anew since, and asked again.
        }
        if (known != null && !known.isOf(question)) {
            // After a crash of its coordinator: nobody waits for the old answers.
            remove(known);
            known = null;
        }
        VerificationSession open = known == null ? new VerificationSession(question) : known;
        if (bytes >= BYTES_MAX) {
            dropped++;
            return;
        }
        bytes -= known == null ? 0 : known.bytes();
        sift.accept(open, known == null ? question.candidates() : open.without(question.candidates()));
        if (!open.isAnswered()) {
            byAsker.put(question.asker(), open);
            bytes += open.note();
        } else {
            byAsker.remove(question.asker());
        }
    }

    /** How many were dropped since the start. */
    long dropped() {
        return dropped;
    }

    /** The first that is not answered; there must be one. */
    VerificationSession first() {
        return byAsker.values().iterator().next();
    }

    /** The question is answered. */
    void remove(VerificationSession answered) {
        byAsker.remove(answered.question().asker());
        bytes -= answered.bytes();
    }
}
