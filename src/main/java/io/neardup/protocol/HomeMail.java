package io.neardup.protocol;

import io.neardup.protocol.Message.ToBands;
import io.neardup.protocol.Message.ToChecker;
import io.neardup.protocol.Message.ToHome;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a home sends. A message to itself does not leave: the home handles it before the step ends. */
final class HomeMail {
    private final int home;
    private final Outbox<?> outbox;
    private final Deque<ToHome> toSelf = new ArrayDeque<>();

    HomeMail(int home, Outbox<?> outbox) {
        this.home = home;
        this.outbox = outbox;
    }

    /** The home that sends. */
    int home() {
        return home;
    }

    boolean isOfThisHome(Ref document) {
        return document.home() == home;
    }

    void toBands(int bandPartition, ToBands message) {
        outbox.toBands(bandPartition, message);
    }

    /** Takes a document out of its buckets. */
    void remove(Ref document, List<Partitions.Share> shares) {
        for (Partitions.Share share : shares) {
            toBands(share.bandPartition(), new Message.Remove(document, share.keys()));
        }
    }

    void toHome(int receiver, ToHome message) {
        if (receiver == home) {
            toSelf.add(message);
        } else {
            outbox.toHome(receiver, message);
        }
    }

    void toAllHomes(ToHome message) {
        outbox.toAllHomes(message);
    }

    void toChecker(ToChecker message) {
        outbox.toChecker(message);
    }

    /** The next message to itself, taken; null if there is none. */
    @Nullable
    ToHome next() {
        return toSelf.poll();
    }
}
