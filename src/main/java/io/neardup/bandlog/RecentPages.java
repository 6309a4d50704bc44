package io.neardup.bandlog;

import io.neardup.lsh.ArrayInput;
import io.neardup.lsh.ArrayOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The pages that came last, in their order, as many as there is room for. */
public final class RecentPages {
    /** More than what waits for its decision in the homes at a time: who outlives this is seldom a duplicate. */
    private static final int DOCUMENTS_MAX = 16_384;

    private static final int BYTES_MAX = 4 << 20;

    private final int documentsMax;
    private final int bytesMax;
    private final Deque<Page> pages = new ArrayDeque<>();
    private int documents;
    private int bytes;

    public RecentPages() {
        this(DOCUMENTS_MAX, BYTES_MAX);
    }

    RecentPages(int documentsMax, int bytesMax) {
        this.documentsMax = documentsMax;
        this.bytesMax = bytesMax;
    }

    void add(Page page) {
        pages.add(page);
        documents += page.documents();
        bytes += page.content().length;
    }

    /** Takes out the eldest if there is no room for all. */
    @Nullable
    Page leaving() {
        if (documents <= documentsMax && bytes <= bytesMax) {
            return null;
        }
        Page eldest = pages.remove();
        documents -= eldest.documents();
        bytes -= eldest.content().length;
        return eldest;
    }

    /** Bytes of their records. */
    int bytes() {
        return bytes;
    }

    Iterable<Page> all() {
        return pages;
    }

    /** Writes which they are of all pages; those of which all are dead are none of them any more, but take room. */
    void writeTo(ArrayOutput to, Pages all) throws IOException {
        to.writeInt(pages.size());
        for (Page page : pages) {
            all.writeReference(page, to);
        }
    }

    void readFrom(ArrayInput from, Pages all) throws IOException {
        for (int more = from.readInt(); more > 0; more--) {
            add(all.readReference(from));
        }
    }
}
