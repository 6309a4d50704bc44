package io.neardup.engine.protocol;

import java.util.AbstractList;
import java.util.Collection;
import java.util.List;
import java.util.RandomAccess;

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
