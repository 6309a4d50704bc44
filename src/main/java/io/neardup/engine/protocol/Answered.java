package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.Dismissal;
import io.neardup.engine.protocol.Message.ToCoordinator;
import io.neardup.engine.protocol.Message.Verified;

/** What comes back to pending documents of a coordinator on what they asked. Who is decided by then hears no more. */
final class Answered {
    private final ReleaseQueue<?> queue;
    private final VerificationClient questions;
    private final Decisions decisions;

    Answered(ReleaseQueue<?> queue, VerificationClient questions, Decisions decisions) {
        this.queue = queue;
        this.questions = questions;
        this.decisions = decisions;
    }

    /** Takes a message if it is such an answer, and returns whether it is. */
    boolean take(ToCoordinator message) {
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
        if (document != null && questions.isCurrent(message.epoch())) {
            boolean areAllNamed = document.addFound(message.indexPartition(), message.found());
            decisions.advance(document);
            if (areAllNamed) {
                decisions.noteNamed(document);
            }
        }
    }

    private void take(Verified message) {
        PendingDocument document = queue.pending(message.asker());
        if (document != null && questions.isCurrent(message.epoch())) {
            document.addVerified(message);
            DocumentRef instead = message.instead();
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
        if (document != null && questions.isCurrent(message.epoch())) {
            document.addDismissal(message);
            decisions.advance(document);
        }
    }
}
