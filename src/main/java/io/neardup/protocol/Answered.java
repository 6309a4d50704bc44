package io.neardup.protocol;

import io.neardup.protocol.Message.Candidates;
import io.neardup.protocol.Message.Dismissal;
import io.neardup.protocol.Message.ToHome;
import io.neardup.protocol.Message.Verified;

/** What comes back to pending documents of a home on what they asked. Who is decided by then hears no more. */
final class Answered {
    private final HomeQueue<?> queue;
    private final Questions questions;
    private final Decisions decisions;

    Answered(HomeQueue<?> queue, Questions questions, Decisions decisions) {
        this.queue = queue;
        this.questions = questions;
        this.decisions = decisions;
    }

    /** Takes a message if it is such an answer, and returns whether it is. */
    boolean take(ToHome message) {
        if (message instanceof Candidates candidates) {
            take(candidates);
        } else if (message instanceof Verified verified) {
            take(verified);
        } else if (message instanceof Dismissal dismissal) {
            take(dismissal);
        } else {
            return false;
        }
        return true;
    }

    private void take(Candidates message) {
        PendingDocument document = queue.pending(message.document());
        if (document != null && questions.isCurrent(message.attempt())) {
            boolean areAllNamed = document.addFound(message.bandPartition(), message.found());
            decisions.advance(document);
            if (areAllNamed) {
                decisions.noteNamed(document);
            }
        }
    }

    private void take(Verified message) {
        PendingDocument document = queue.pending(message.asker());
        if (document != null && questions.isCurrent(message.attempt())) {
            document.addVerified(message);
            Ref instead = message.instead();
            if (message.isOfUnknown()) {
                questions.tellUnknown(document, message.candidate());
            } else if (instead != null && !instead.equals(message.asker())) {
                document.hearOf(instead);
            }
            decisions.advance(document);
        }
    }

    private void take(Dismissal message) {
        PendingDocument document = queue.pending(message.asker());
        if (document != null && questions.isCurrent(message.attempt())) {
            document.addDismissal(message);
            decisions.advance(document);
        }
    }
}
