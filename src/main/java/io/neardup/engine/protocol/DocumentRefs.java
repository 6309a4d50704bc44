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
    boolean has(DocumentRef ref) {
        return LongStream.of(packed).anyMatch(known -> known == ref.packed());
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
