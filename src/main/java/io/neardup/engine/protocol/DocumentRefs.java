package io.neardup.engine.protocol;

import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Refs in some order, 8 bytes each: a document with many look-alikes has hundreds of candidates. Immutable. */
public final class DocumentRefs implements Iterable<DocumentRef> {
    public static final DocumentRefs NONE = new DocumentRefs(new long[0]);

    private final long[] packed;

    private DocumentRefs(long[] packed) {
        this.packed = packed;
    }

    static final class Builder {
        private static final int CAPACITY_MIN = 8;

        private long[] packed = new long[0];
        private int size;

        void add(long ref) {
            if (size == packed.length) {
                packed = Arrays.copyOf(packed, Math.max(CAPACITY_MIN, 2 * size));
            }
            packed[size++] = ref;
        }

        boolean isEmpty() {
            return size == 0;
        }

        int size() {
            return size;
        }

        /** One of them, in the order in which they were added. */
        long get(int i) {
            return packed[i];
        }

        boolean has(long ref) {
            for (int i = 0; i < size; i++) {
                if (packed[i] == ref) {
                    return true;
                }
            }
            return false;
        }

        /** All that was added; nothing is left here. */
        DocumentRefs take() {
            DocumentRefs taken = size == 0 ? NONE : owning(Arrays.copyOf(packed, size));
            size = 0;
            return taken;
        }
    }

    public static DocumentRefs of(DocumentRef... refs) {
        return owning(Stream.of(refs).mapToLong(DocumentRef::packed).toArray());
    }

    public static DocumentRefs of(Collection<DocumentRef> refs) {
        return owning(refs.stream().mapToLong(DocumentRef::packed).toArray());
    }

    /** Of the array itself, which nobody may change any more; each is as {@link DocumentRef#packed} gives it. */
    public static DocumentRefs owning(long[] packed) {
        return packed.length == 0 ? NONE : new DocumentRefs(packed);
    }

    public int size() {
        return packed.length;
    }

    public boolean isEmpty() {
        return packed.length == 0;
    }

    /** One as {@link DocumentRef#packed} gives it, from 0 to {@link #size} - 1. */
    public long packed(int i) {
        return packed[i];
    }

    /** One of them, from 0 to {@link #size} - 1. */
    public DocumentRef get(int i) {
        return DocumentRef.unpack(packed[i]);
    }

    /** Whether one is among them; by a look at each. */
    boolean has(long ref) {
        for (long known : packed) {
            if (known == ref) {
                return true;
            }
        }
        return false;
    }

    public Stream<DocumentRef> stream() {
        return LongStream.of(packed).mapToObj(DocumentRef::unpack);
    }

    @Override
    public Iterator<DocumentRef> iterator() {
        return stream().iterator();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DocumentRefs refs && Arrays.equals(packed, refs.packed);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(packed);
    }

    @Override
    public String toString() {
        return stream().toList().toString();
    }
}
