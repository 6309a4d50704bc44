package io.neardup.engine.protocol;

import io.neardup.engine.text.SplitMix64;
import java.util.AbstractList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.RandomAccess;
import java.util.stream.LongStream;

/** Refs in some order, 8 bytes each: a document with many look-alikes has hundreds of candidates. Immutable. */
public final class DocumentRefs extends AbstractList<DocumentRef> implements RandomAccess {
    public static final DocumentRefs NONE = new DocumentRefs(new long[0]);

    private final long[] packed;

    private DocumentRefs(long[] packed) {
        this.packed = packed;
    }

    public static DocumentRefs of(Collection<DocumentRef> refs) {
        return refs.isEmpty() // As it mostly is.
                ? NONE
                : owning(refs.stream().mapToLong(DocumentRef::packed).toArray());
    }

    /** Wraps an array of {@link DocumentRef#packed} refs, which must not change from now on. */
    public static DocumentRefs owning(long[] packed) {
        return packed.length == 0 ? NONE : new DocumentRefs(packed);
    }

    /** The first of each list, then the second of each, and so on; each ref once. No object is made for each. */
    static DocumentRefs interleaved(List<DocumentRefs> lists) {
        long[] refs = new long[lists.stream().mapToInt(DocumentRefs::size).sum()];
        // Open addressing: an index in refs, plus 1; 0 is free.
        int[] slots = new int[Integer.highestOneBit(refs.length + 1) << 2];
        int size = 0;
        for (int i = 0, left = refs.length; left > 0; i++) {
            for (DocumentRefs list : lists) {
                if (i < list.size()) {
                    left--;
                    long ref = list.packed[i];
                    int slot = (int) SplitMix64.mix(ref) & (slots.length - 1);
                    while (slots[slot] != 0 && refs[slots[slot] - 1] != ref) {
                        slot = (slot + 1) & (slots.length - 1);
                    }
                    if (slots[slot] == 0) {
                        refs[size++] = ref;
                        slots[slot] = size;
                    }
                }
            }
        }
        return owning(Arrays.copyOf(refs, size));
    }

    @Override
    public int size() {
        return packed.length;
    }

    @Override
    public DocumentRef get(int i) {
        return DocumentRef.unpack(packed[i]);
    }

    @Override
    public boolean contains(Object ref) {
        return ref instanceof DocumentRef sought && LongStream.of(packed).anyMatch(known -> known == sought.packed());
    }
}
