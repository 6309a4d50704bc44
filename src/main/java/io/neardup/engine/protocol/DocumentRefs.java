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

    public static DocumentRefs of(DocumentRef... refs) {
        return of(List.of(refs));
    }

    public static DocumentRefs of(Collection<DocumentRef> refs) {
        return refs.isEmpty() // As it mostly is.
                ? NONE
                : owning(refs.stream().mapToLong(DocumentRef::packed).toArray());
    }

    /** Of the array itself, which nobody may change any more; each is as {@link DocumentRef#packed} gives it. */
    public static DocumentRefs owning(long[] packed) {
        return packed.length == 0 ? NONE : new DocumentRefs(packed);
    }

    /** Of several lists the first of each, then the second of each, and so on. */
    static DocumentRefs inTurns(List<DocumentRefs> lists) {
        if (lists.size() == 1) {
            return lists.get(0);
        }
        long[] all = new long[lists.stream().mapToInt(DocumentRefs::size).sum()];
        for (int turn = 0, taken = 0; taken < all.length; turn++) {
            for (DocumentRefs list : lists) {
                if (turn < list.size()) {
                    all[taken++] = list.packed[turn];
                }
            }
        }
        return owning(all);
    }

    /** These behind others. */
    DocumentRefs behind(Collection<DocumentRef> others) {
        return owning(LongStream.concat(others.stream().mapToLong(DocumentRef::packed), LongStream.of(packed))
                .toArray());
    }

    /** Each once, where it stands first. No set of the JDK: hundreds for each document of a template are too dear. */
    DocumentRefs distinct() {
        long[] kept = new long[packed.length];
        int[] places = new int[Integer.highestOneBit(packed.length + 1) << 2]; // Of each, plus 1; 0 is free.
        int size = 0;
        for (long ref : packed) {
            int slot = (int) SplitMix64.mix(ref) & (places.length - 1);
            while (places[slot] != 0 && kept[places[slot] - 1] != ref) {
                slot = (slot + 1) & (places.length - 1);
            }
            if (places[slot] == 0) {
                kept[size] = ref;
                size++;
                places[slot] = size;
            }
        }
        return size == packed.length ? this : owning(Arrays.copyOf(kept, size));
    }

    /** The first {@code max}, or all where there are no more. */
    DocumentRefs first(int max) {
        return packed.length <= max ? this : owning(Arrays.copyOf(packed, max));
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
        if (ref instanceof DocumentRef sought) {
            long wanted = sought.packed();
            for (long known : packed) {
                if (known == wanted) {
                    return true;
                }
            }
        }
        return false;
    }
}
