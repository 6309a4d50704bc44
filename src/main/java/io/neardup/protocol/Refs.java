package io.neardup.protocol;

import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Refs in some order, 8 bytes each: a document in a crowd has hundreds of candidates. Immutable. */
public final class Refs implements Iterable<Ref> {
    public static final Refs NONE = new Refs(new long[0]);

    private final long[] packed;

    private Refs(long[] packed) {
        this.packed = packed;
    }

    public static Refs of(Ref... refs) {
        return owning(Stream.of(refs).mapToLong(Ref::packed).toArray());
    }

    public static Refs of(Collection<Ref> refs) {
        return owning(refs.stream().mapToLong(Ref::packed).toArray());
    }

    /** Of the array itself, which nobody may change any more; each is as {@link Ref#packed} gives it. */
    public static Refs owning(long[] packed) {
        return packed.length == 0 ? NONE : new Refs(packed);
    }

    public int size() {
        return packed.length;
    }

    public boolean isEmpty() {
        return packed.length == 0;
    }

    /** One as {@link Ref#packed} gives it, from 0 to {@link #size} - 1. */
    public long packed(int i) {
        return packed[i];
    }

    /** One of them, from 0 to {@link #size} - 1. */
    public Ref get(int i) {
        return Ref.unpack(packed[i]);
    }

    /** The first of them, as many as there are up to a number. */
    Refs first(int max) {
        return packed.length <= max ? this : owning(Arrays.copyOf(packed, max));
    }

    /** Those of one home. */
    public Refs ofHome(int home) {
        return owning(LongStream.of(packed).filter(ref -> Ref.home(ref) == home).toArray());
    }

    public Stream<Ref> stream() {
        return LongStream.of(packed).mapToObj(Ref::unpack);
    }

    @Override
    public Iterator<Ref> iterator() {
        return stream().iterator();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Refs refs && Arrays.equals(packed, refs.packed);
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
