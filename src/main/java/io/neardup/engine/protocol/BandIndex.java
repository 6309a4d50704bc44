package io.neardup.engine.protocol;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Message.Lookup;
import io.neardup.engine.protocol.Message.Remove;
import io.neardup.engine.protocol.Message.ToIndex;
import java.util.ArrayList;
import java.util.List;

/**
 * An index partition: it owns some of the buckets, and returns which documents are in them.
 *
 * <p>It handles one message after the other: of two documents that share one of its buckets, the one whose lookup comes
 * second gets the first one returned, unless a bound truncated it.
 */
public final class BandIndex {
    private final int indexPartition;
    private final int candidatesMax;
    private final BandState state;

    /**
     * The buckets of one index partition. Keys are those of the bands that the partition owns. Changes are seen at
     * once; they survive a crash with the transaction they belong to, all of them or none.
     */
    public interface BandState {

        /** At most {@code max} other documents in these buckets; the rest is truncated and counted. */
        Found find(DocumentRef document, BandKeys keys, int max);

        /**
         * Puts the document into those of its buckets that it is not in; a full one refuses it. If it comes again, and
         * a bucket takes it that was full before, it counts as new in all: it has one age in all its buckets.
         */
        void insert(DocumentRef document, BandKeys keys);

        /** Removes the document from all its buckets, if it is in one of these. */
        void remove(DocumentRef document, BandKeys keys);
    }

    /** @param candidatesMax how many candidates an answer returns at the most, see {@link Found} */
    public BandIndex(int indexPartition, int candidatesMax, BandState state) {
        this.indexPartition = indexPartition;
        this.candidatesMax = candidatesMax;
        this.state = state;
    }

    /**
     * Handles messages that came together, one after the other: each lookup finds the documents of those before it.
     *
     * @return the answers to the lookups, in their order
     */
    public List<Candidates> receive(List<? extends ToIndex> messages) {
        List<Candidates> answers = new ArrayList<>(messages.size());
        for (ToIndex message : messages) {
            if (message instanceof Lookup lookup) {
                answers.add(lookUp(lookup));
            } else if (message instanceof Remove remove) {
                state.remove(remove.document(), remove.keys());
            }
        }
        return answers;
    }

    private Candidates lookUp(Lookup lookup) {
        Found found = state.find(lookup.document(), lookup.keys(), candidatesMax);
        if (!lookup.document().isCheck()) {
            state.insert(lookup.document(), lookup.keys());
        }
        return new Candidates(lookup.document(), lookup.epoch(), indexPartition, found);
    }
}
