package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.Similarity;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** The documents that wait for the decision on another, each with its similarity to that. */
final class Waiters {
    // Most documents have none: the map is never made.
    private Map<DocumentRef, Waiter> byRef = Map.of();

    /**
     * By its arrival and its evidence it is told from another that has its number now, after a crash of its
     * coordinator.
     */
    record Waiter(Similarity similarity, int epoch, long arrivalMillis, int evidenceHash) {
        Waiter(Verify question, Similarity similarity) {
            this(
                    similarity,
                    question.epoch(),
                    question.askerArrivalMillis(),
                    question.evidence().hashCode());
        }

        /** An answer to an earlier life counts for nobody. */
        private static Waiter later(Waiter known, Waiter next) {
            return next.epoch < known.epoch ? known : next;
        }
    }

    /**
     * Who asks waits from now on.
     *
     * @param similarity of who asks, first, and the one that it waits for
     */
    void add(Verify question, Similarity similarity) {
        byRef = byRef.isEmpty() ? new LinkedHashMap<>() : byRef;
        byRef.merge(question.asker(), new Waiter(question, similarity), Waiter::later);
    }

    /** Whether who asks waits already: it need not be compared again. */
    boolean hasAskerOf(Verify question) {
        Waiter waiter = byRef.get(question.asker());
        return waiter != null && waiter.equals(new Waiter(question, waiter.similarity()));
    }

    boolean isEmpty() {
        return byRef.isEmpty();
    }

    /** Nobody waits any more: each is handed over. */
    void release(BiConsumer<DocumentRef, Waiter> to) {
        Map<DocumentRef, Waiter> released = byRef;
        byRef = Map.of();
        released.forEach(to);
    }
}
