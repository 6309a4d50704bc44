package io.neardup.streams.store;

import io.neardup.engine.lsh.ArrayInput;
import io.neardup.engine.lsh.ArrayOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The segments that came last, in their order, as many as there is room for. */
public final class RecentSegments {
    /** More than what waits for its decision in the coordinators at a time: who outlives this is seldom a duplicate. */
    private static final int DOCUMENTS_MAX = 16_384;

    private static final int BYTES_MAX = 4 << 20;

    private final int documentsMax;
    private final int bytesMax;
    private final Deque<ChangelogSegment> segments = new ArrayDeque<>();
    private int documents;
    private int bytes;

    public RecentSegments() {
        this(DOCUMENTS_MAX, BYTES_MAX);
    }

    RecentSegments(int documentsMax, int bytesMax) {
        this.documentsMax = documentsMax;
        this.bytesMax = bytesMax;
    }

    void add(ChangelogSegment segment) {
        segments.add(segment);
        documents += segment.documents();
        bytes += segment.content().length;
    }

    /** Takes out the eldest if there is no room for all. */
    @Nullable
    ChangelogSegment leaving() {
        if (documents <= documentsMax && bytes <= bytesMax) {
            return null;
        }
        ChangelogSegment eldest = segments.remove();
        documents -= eldest.documents();
        bytes -= eldest.content().length;
        return eldest;
    }

    /** Bytes of their records. */
    int bytes() {
        return bytes;
    }

    Iterable<ChangelogSegment> all() {
        return segments;
    }

    /** Writes which they are of all segments; those of which all are dead are none of them any more, but take room. */
    void writeTo(ArrayOutput to, ChangelogSegments all) throws IOException {
        to.writeInt(segments.size());
        for (ChangelogSegment segment : segments) {
            all.writeReference(segment, to);
        }
    }

    void readFrom(ArrayInput from, ChangelogSegments all) throws IOException {
        for (int more = from.readInt(); more > 0; more--) {
            add(all.readReference(from));
        }
    }
}
