package io.neardup.analysis;

import java.util.Comparator;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * Documents that hang together: from each leads a way to each other of its cluster, on which two neighbours have a
 * Jaccard similarity of at least {@value #LINKED}. Immutable.
 */
final class Clusters {
    /** From here on two documents are one story, whatever the threshold of the service is. */
    static final double LINKED = 0.7;

    private final int[] clusterOf;
    private final int count;

    private Clusters(int[] clusterOf, int count) {
        this.clusterOf = clusterOf;
        this.count = count;
    }

    /**
     * The clusters of all documents of a source.
     *
     * @param stepsMax as for {@link AllPairs#join(PairSink, IntConsumer, long)}
     * @return empty if that is not enough
     */
    static Optional<Clusters> of(ShingleSource source, long stepsMax) {
        int[] parents = IntStream.range(0, source.documents()).toArray();
        AllPairs pairs = new AllPairs(RankedSets.of(source, done -> {}), LINKED);
        return pairs.join(new Linking(parents), done -> {}, stepsMax) ? Optional.of(of(parents)) : Optional.empty();
    }

    /** Links pairs; what hangs together already need not be compared. */
    private static final class Linking implements PairSink {
        private final int[] parents;

        Linking(int[] parents) {
            this.parents = parents;
        }

        @Override
        public void pair(int first, int second, double jaccard) {
            parents[root(parents, second)] = root(parents, first);
        }

        @Override
        public boolean wants(int one, int other) {
            return root(parents, one) != root(parents, other);
        }
    }

    private static Clusters of(int[] parents) {
        int[] numbers = new int[parents.length];
        int count = 0;
        int[] clusterOf = new int[parents.length];
        for (int document = 0; document < parents.length; document++) {
            int root = root(parents, document);
            numbers[root] = numbers[root] == 0 ? ++count : numbers[root];
            clusterOf[document] = numbers[root] - 1;
        }
        return new Clusters(clusterOf, count);
    }

    /** Halves the way to the root for those who go it next. */
    private static int root(int[] parents, int document) {
        int at = document;
        while (parents[at] != at) {
            parents[at] = parents[parents[at]];
            at = parents[at];
        }
        return at;
    }

    int count() {
        return count;
    }

    /** The cluster of a document, from 0 on. */
    int of(int document) {
        return clusterOf[document];
    }

    /** All documents, cluster by cluster. */
    int[] inOrder() {
        return IntStream.range(0, clusterOf.length)
                .boxed()
                .sorted(Comparator.comparingInt(document -> clusterOf[document]))
                .mapToInt(Integer::intValue)
                .toArray();
    }
}
