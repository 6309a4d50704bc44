package io.neardup.bandlog;

import io.neardup.lsh.ArrayInput;
import io.neardup.lsh.ArrayOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The batches that came last, in their order, as many as there is room for. */
public final class RecentBatches {
    /** More than what waits for its decision in the homes at a time: who outlives this is seldom a duplicate. */
    private static final int DOCUMENTS_MAX = 16_384;

    private static final int BYTES_MAX = 4 << 20;

    private final int documentsMax;
    private final int bytesMax;
    private final Deque<Batch> batches = new ArrayDeque<>();
    private int documents;
    private int bytes;

    public RecentBatches() {
        this(DOCUMENTS_MAX, BYTES_MAX);
    }

    RecentBatches(int documentsMax, int bytesMax) {
        this.documentsMax = documentsMax;
        this.bytesMax = bytesMax;
    }

    void add(Batch batch) {
        batches.add(batch);
        documents += batch.documents();
        bytes += batch.content().length;
    }

    /** Takes out the eldest if there is no room for all. */
    @Nullable
    Batch leaving() {
        if (documents <= documentsMax && bytes <= bytesMax) {
            return null;
        }
        Batch eldest = batches.remove();
        documents -= eldest.documents();
        bytes -= eldest.content().length;
        return eldest;
    }

    /** Bytes of their records. */
    int bytes() {
        return bytes;
    }

    Iterable<Batch> all() {
        return batches;
    }

    /** Writes which they are of all batches; those of which all are dead are none of them any more, but take room. */
    void writeTo(ArrayOutput to, Batches all) throws IOException {
        to.writeInt(batches.size());
        for (Batch batch : batches) {
            all.writeReference(batch, to);
        }
    }

    void readFrom(ArrayInput from, Batches all) throws IOException {
        for (int more = from.readInt(); more > 0; more--) {
            add(all.readReference(from));
        }
    }
}
