package io.neardup.analysis;

import io.neardup.analysis.RandomPairs.Pair;
import io.neardup.text.ShingleSet;
import io.neardup.text.Shingler;
import io.neardup.text.Shingles;
import java.util.List;

/**
 * How similar documents are that have nothing to do with each other: exact similarities of random pairs of a sample.
 * Pairs that are far up in {@value #RELATED_SHINGLE} are near-duplicates that met by chance: they are set aside and
 * only counted.
 */
final class UnrelatedPairs {
    static final String RELATED_SHINGLE = "char:5";
    static final double RELATED_FROM = 0.5;

    private final List<String> documents;
    private final List<Pair> pairs;
    private final int related;

    private UnrelatedPairs(List<String> documents, List<Pair> pairs, int related) {
        this.documents = documents;
        this.pairs = pairs;
        this.related = related;
    }

    /**
     * Draws the pairs and sets those aside that are related.
     *
     * @param documents canonical texts, at least 2
     * @param pairsMax as many are drawn, if there are so many
     */
    static UnrelatedPairs of(List<String> documents, int pairsMax, long seed) {
        List<ShingleSet> sets = shingle(documents, Shingler.of(RELATED_SHINGLE, 0));
        List<Pair> drawn = RandomPairs.of(documents.size(), pairsMax, seed);
        List<Pair> unrelated = drawn.stream()
                .filter(pair -> jaccard(sets, pair) < RELATED_FROM)
                .toList();
        return new UnrelatedPairs(List.copyOf(documents), unrelated, drawn.size() - unrelated.size());
    }

    /** Pairs that were not set aside. */
    int size() {
        return pairs.size();
    }

    /** Pairs that were set aside. */
    int related() {
        return related;
    }

    /** The exact similarities of all pairs by some shingles. */
    Similarities similarities(Shingler shingler) {
        List<ShingleSet> sets = shingle(documents, shingler);
        return Similarities.of(
                pairs.stream().mapToDouble(pair -> jaccard(sets, pair)).toArray());
    }

    private static double jaccard(List<ShingleSet> sets, Pair pair) {
        return sets.get(pair.first()).jaccard(sets.get(pair.second()));
    }

    private static List<ShingleSet> shingle(List<String> documents, Shingler shingler) {
        Shingles shingles = new Shingles();
        return documents.stream()
                .map(document -> {
                    shingler.shingle(document, shingles);
                    return ShingleSet.of(shingles);
                })
                .toList();
    }
}
