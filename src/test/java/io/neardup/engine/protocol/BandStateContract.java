package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.BandIndex.BandState;
import io.neardup.engine.protocol.Message.Found;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What every {@link BandState} must do; a subclass says how to make one. */
public abstract class BandStateContract {
    private static final DocumentRef A = new DocumentRef(0, 1);
    private static final DocumentRef B = new DocumentRef(0, 2);
    private static final DocumentRef C = new DocumentRef(DocumentRef.COORDINATORS_MAX - 1, DocumentRef.SEQUENCE_MAX);
    private static final DocumentRef D = new DocumentRef(0, 0);
    private static final BandKeys KEYS = keys(11, 22, 33);

    /** An empty state of a partition that owns so many bands, with buckets larger than any here. */
    protected abstract BandState open(int bands);

    /** An empty state whose buckets take so many documents each. */
    protected abstract BandState open(int bands, int bucketMax);

    private static BandKeys keys(long... keys) {
        return BandKeys.of(keys);
    }

    @Test
    void shouldReturnThoseThatShareTheMostBandsFirstOfEqualsTheOldest() {
        BandState state = open(3);
        state.insert(C, keys(11, 22, 0));
        state.insert(D, keys(0, 22, 33));
        state.insert(B, keys(0, 0, 33));
        state.insert(A, keys(11, 0, 0));
        state.insert(new DocumentRef(5, 5), keys(1, 2, 3));

        DocumentRef other = new DocumentRef(9, 9);
        assertThat(state.find(other, KEYS, 10)).isEqualTo(new Found(DocumentRefs.of(C, D, B, A), 0));
        assertThat(state.find(other, KEYS, 2)).isEqualTo(new Found(DocumentRefs.of(C, D), 2));
    }

    @Test
    void shouldTakeADocumentAgainWhereABucketThatWasFullHasRoom() {
        BandState state = open(3, 1);
        state.insert(A, keys(11, 0, 0));
        state.insert(B, keys(0, 22, 1));
        state.insert(C, KEYS);
        state.remove(A, keys(11, 0, 0));

        state.insert(C, KEYS);

        assertThat(state.find(D, keys(11, 2, 3), 10)).isEqualTo(new Found(DocumentRefs.of(C), 0, 1));
        assertThat(state.find(D, keys(1, 22, 3), 10))
                .describedAs("full still")
                .isEqualTo(new Found(DocumentRefs.of(B), 0, 1));
        assertThat(state.find(D, keys(1, 2, 33), 10)).isEqualTo(new Found(DocumentRefs.of(C), 0, 1));
        state.remove(C, KEYS);
        assertThat(state.find(D, KEYS, 10)).isEqualTo(new Found(DocumentRefs.of(B), 0, 1));
    }

    @Test
    void shouldDropADocumentFromTheBucketsOfAnotherAlone() {
        BandState state = open(3);
        state.insert(A, KEYS);
        state.insert(B, KEYS);

        state.drop(A, keys(11, 2, 3));
        state.drop(C, KEYS);

        assertThat(state.find(D, keys(11, 2, 3), 10).candidates()).containsExactly(B);
        assertThat(state.find(D, keys(1, 22, 3), 10).candidates()).containsExactly(A, B);
        state.remove(A, KEYS);
        assertThat(state.find(D, KEYS, 10).candidates()).containsExactly(B);
    }

    @Test
    void shouldAgreeWithBucketsByTheBookUnderRandomOperations() {
        for (int bands : new int[] {1, 3, 8}) {
            Random random = new Random(bands);
            BandState state = open(bands);
            Buckets expected = new Buckets();
            List<BandKeys> keys = new ArrayList<>();
            for (int document = 0; document < 150; document++) {
                keys.add(BandKeys.of(random.longs(bands, 0, 40).toArray()));
            }
            for (int i = 0; i < 4_000; i++) {
                int drawn = random.nextInt(keys.size());
                DocumentRef document = new DocumentRef(drawn % 5, drawn);
                int operation = random.nextInt(4);
                if (operation == 0) {
                    state.remove(document, keys.get(drawn));
                    expected.remove(document, keys.get(drawn));
                } else if (operation == 1) {
                    int max = 1 + random.nextInt(12);
                    assertThat(state.find(document, keys.get(drawn), max))
                            .isEqualTo(expected.find(document, keys.get(drawn), max));
                } else {
                    state.insert(document, keys.get(drawn));
                    expected.insert(document, keys.get(drawn));
                }
            }
        }
    }

    private static final class Buckets implements BandState {
        private final Map<String, Set<DocumentRef>> buckets = new HashMap<>();
        private final List<DocumentRef> inOrderOfInsertion = new ArrayList<>();

        private List<Set<DocumentRef>> of(BandKeys keys) {
            List<Set<DocumentRef>> of = new ArrayList<>();
            for (int band = 0; band < keys.bands(); band++) {
                of.add(buckets.computeIfAbsent(band + ":" + keys.key(band), bucket -> new HashSet<>()));
            }
            return of;
        }

        @Override
        public Found find(DocumentRef document, BandKeys keys, int max) {
            Map<Integer, List<DocumentRef>> byBandsShared = new TreeMap<>(Comparator.reverseOrder());
            for (DocumentRef other : inOrderOfInsertion) {
                int shared = (int) of(keys).stream()
                        .filter(bucket -> bucket.contains(other))
                        .count();
                if (shared > 0 && !other.equals(document)) {
                    byBandsShared
                            .computeIfAbsent(shared, bands -> new ArrayList<>())
                            .add(other);
                }
            }
            List<DocumentRef> all =
                    byBandsShared.values().stream().flatMap(List::stream).toList();
            List<DocumentRef> returned = all.subList(0, Math.min(max, all.size()));
            return new Found(DocumentRefs.of(returned), all.size() - returned.size());
        }

        @Override
        public void insert(DocumentRef document, BandKeys keys) {
            if (!inOrderOfInsertion.contains(document)) {
                inOrderOfInsertion.add(document);
                of(keys).forEach(bucket -> bucket.add(document));
            }
        }

        @Override
        public void drop(DocumentRef document, BandKeys keys) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void remove(DocumentRef document, BandKeys keys) {
            inOrderOfInsertion.remove(document);
            of(keys).forEach(bucket -> bucket.remove(document));
        }
    }
}
