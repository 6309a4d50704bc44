package io.neardup.engine.protocol;

import io.neardup.engine.protocol.DocumentCoordinator.MessageOutbox;
import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.Neighbour;
import java.util.List;
import java.util.Optional;

/**
 * Finds out whether a document would be a duplicate, without adding it. It sends the requests of any document
 * ({@link PendingDocument}) under a ref that no document of the index has: so it is never inserted, no document yields
 * to it, and no answer to it waits. Requests are not repeated: if an answer is lost, there is no result. Thread-safe,
 * as answers may come while requests are being sent.
 */
public final class Check {
    private static final int EPOCH = 1;

    private final PendingDocument document;
    private final MessageOutbox outbox;

    /** @param number of the check, unique among those that are open, as {@link DocumentRef#ofCheck} takes it */
    public Check(long number, SignedDocument document, Partitions partitions, MessageOutbox outbox) {
        // The youngest of all.
        ArrivalOrder order = new ArrivalOrder(Long.MAX_VALUE, DocumentRef.ofCheck(number));
        this.document =
                new PendingDocument(order, EPOCH, document, new Origin(null, 0, Provenance.UNKNOWN), true, partitions);
        this.outbox = outbox;
    }

    public synchronized void begin() {
        document.sendUnanswered(outbox);
    }

    public synchronized void receive(Candidates answer) {
        if (document.addFound(answer)) {
            askNext();
        }
    }

    public synchronized void receive(Answer answer) {
        if (document.addAnswer(answer)) {
            askNext();
        }
    }

    private void askNext() {
        if (document.allPartitionsAnswered()) {
            document.askNext(Integer.MAX_VALUE, outbox);
        }
    }

    /** The result; empty while answers are missing. */
    public synchronized Optional<CheckResult> result() {
        return document.isAnswered()
                ? Optional.of(new CheckResult(
                        document.document.id(),
                        document.nearest,
                        document.compared,
                        document.truncated + document.notCompared,
                        document.fullBuckets))
                : Optional.empty();
    }

    /**
     * What a check found.
     *
     * @param id of the document that was checked
     * @param nearest documents of the index that are most similar to it, best first;
     *     {@link Neighbour#CHECK_NEAREST_MAX} of each coordinator at most
     * @param compared documents that it was compared with
     * @param truncated how many others that share a bucket were truncated at a bound
     * @param fullBuckets how many of its buckets were full, and may have refused others
     */
    public record CheckResult(String id, List<Neighbour> nearest, int compared, int truncated, int fullBuckets) {
        public CheckResult {
            nearest = List.copyOf(nearest);
        }

        /** The original that it would be a duplicate of at a threshold. */
        public Optional<Neighbour> originalAt(double threshold) {
            return nearest.stream()
                    .filter(neighbour ->
                            !neighbour.isPending() && neighbour.similarity().value() >= threshold)
                    .findFirst();
        }

        /** The threshold from which on, upwards, it would be unique; 0 where no original is like it. */
        public double uniqueAbove() {
            return originalAt(0).map(original -> original.similarity().value()).orElse(0.0);
        }
    }
}
