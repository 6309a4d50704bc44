package io.neardup.protocol;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last {@value #DOCUMENTS_MAX} duplicates of a home, and what each repeats. While thousands of copies are in
 * flight they crowd their original out of the candidates that a document may have; who asks one of them is told of
 * it.
 */
final class RecentDuplicates {
    private static final int DOCUMENTS_MAX = 16_384;

    private final Map<Ref, Ref> originals = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Ref, Ref> eldest) {
            return size() > DOCUMENTS_MAX;
        }
    };

    void add(Ref duplicate, Ref original) {
        originals.put(duplicate, original);
    }

    /** The original that a document repeats; null where it is no duplicate or one of long ago. */
    @Nullable
    Ref originalOf(Ref document) {
        return originals.get(document);
    }
}
