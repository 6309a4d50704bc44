package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.ToBands;
import io.neardup.engine.protocol.Message.ToChecker;
import io.neardup.engine.protocol.Message.ToCoordinator;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a coordinator sends. A message to itself does not leave: the coordinator handles it before the step ends. */
final class CoordinatorMail {
    private final int coordinator;
    private final Outbox<?> outbox;
    private final Deque<ToCoordinator> toSelf = new ArrayDeque<>();

    CoordinatorMail(int coordinator, Outbox<?> outbox) {
        this.coordinator = coordinator;
        this.outbox = outbox;
    }

    /** The coordinator that sends. */
    int coordinator() {
        return coordinator;
    }

    boolean isOfThisCoordinator(DocumentRef document) {
        return document.coordinator() == coordinator;
    }

    void toBands(int indexPartition, ToBands message) {
        outbox.toBands(indexPartition, message);
    }

    /** Takes a document out of its buckets. */
    void remove(DocumentRef document, List<Partitions.Share> shares) {
        for (Partitions.Share share : shares) {
            toBands(share.indexPartition(), new Message.Remove(document, share.keys()));
        }
    }

    void toCoordinator(int receiver, ToCoordinator message) {
        if (receiver == coordinator) {
            toSelf.add(message);
        } else {
            outbox.toCoordinator(receiver, message);
        }
    }

    void toAllCoordinators(ToCoordinator message) {
        outbox.toAllCoordinators(message);
    }

    void toChecker(ToChecker message) {
        outbox.toChecker(message);
    }

    /** The next message to itself, taken; null if there is none. */
    @Nullable
    ToCoordinator next() {
        return toSelf.poll();
    }
}
