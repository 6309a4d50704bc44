package io.neardup.tools.analysis;

import io.neardup.engine.text.ShingleSet;
import java.util.Arrays;
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

    private static final double LINKED_MORE = 0.8;
    private static final double LINKED_MOST = 0.9;

    private static final double STORY_SHARE_MAX = 0.5;

    private final int[] parents;
    private final int[] clusterOf;
    private final int count;

    /** @param parents of each document another one of its cluster, up to a root that is its own */
    private Clusters(int[] parents) {
        this.parents = parents;
        this.clusterOf = new int[parents.length];
        int[] numbers = new int[parents.length];
        int clusters = 0;
        for (int document = 0; document < parents.length; document++) {
            int root = root(parents, document);
            numbers[root] = numbers[root] == 0 ? ++clusters : numbers[root];
            clusterOf[document] = numbers[root] - 1;
        }
        this.count = clusters;
    }

    /**
     * The clusters of all documents of a source.
     *
     * @param stepsMax as for {@link AllPairs#join(PairSink, IntConsumer, long)}
     * @return empty if that is not enough
     */
    static Optional<Clusters> of(ShingleSource source, long stepsMax) {
        int[] all = IntStream.range(0, source.documents()).toArray();
        int[] parents = all.clone();
        return link(new Some(source, all), LINKED, parents, stepsMax)
                ? Optional.of(new Clusters(parents))
                : Optional.empty();
    }

    /**
     * More than half of all documents are no story with its copies, but share a template: such a cluster is taken apart
     * by {@value #LINKED_MORE}, and where that is not enough by {@value #LINKED_MOST}.
     *
     * @param stepsMax of each search
     * @return these clusters where none is so large; empty if the steps are not enough
     */
    Optional<Clusters> takenApart(ShingleSource source, long stepsMax) {
        int[] apart = parents.clone();
        boolean enough = true;
        for (double linked : new double[] {LINKED_MORE, LINKED_MOST}) {
            int[] alike = tooManyForAStory(apart);
            for (int document : alike) {
                apart[document] = document;
            }
            enough = enough && link(new Some(source, alike), linked, apart, stepsMax);
        }
        if (!enough) {
            return Optional.empty();
        }
        Clusters split = new Clusters(apart);
        return Optional.of(Arrays.equals(split.clusterOf, clusterOf) ? this : split);
    }

    /** Returns whether the steps were enough. */
    private static boolean link(Some some, double linked, int[] parents, long stepsMax) {
        AllPairs pairs = new AllPairs(RankedSets.of(some, done -> {}), linked);
        return pairs.join(new Linking(parents, some.numbers), done -> {}, stepsMax);
    }

    /** The documents of clusters that hold more than half of all. */
    private static int[] tooManyForAStory(int[] parents) {
        int[] sizes = new int[parents.length];
        for (int document = 0; document < parents.length; document++) {
            sizes[root(parents, document)]++;
        }
        return IntStream.range(0, parents.length)
                .filter(document -> sizes[root(parents, document)] > STORY_SHARE_MAX * parents.length)
                .toArray();
    }

    /** Some of the documents of a source, and their numbers there. */
    private static final class Some implements ShingleSource {
        private final ShingleSource source;
        private final int[] numbers;

        Some(ShingleSource source, int[] numbers) {
            this.source = source;
            this.numbers = numbers;
        }

        @Override
        public int documents() {
            return numbers.length;
        }

        @Override
        public long shinglesMax() {
            return source.shinglesMax();
        }

        @Override
        public ShingleSet shingles(int document) {
            return source.shingles(numbers[document]);
        }
    }

    /** Links pairs; what hangs together already need not be compared. */
    private static final class Linking implements PairSink {
        private final int[] parents;
        private final int[] numbers;

        /** @param numbers of the documents that are compared, among all */
        Linking(int[] parents, int[] numbers) {
            this.parents = parents;
            this.numbers = numbers;
        }

        @Override
        public void pair(int first, int second, double jaccard) {
            parents[root(parents, numbers[second])] = root(parents, numbers[first]);
        }

        @Override
        public boolean wants(int one, int other) {
            return root(parents, numbers[one]) != root(parents, numbers[other]);
        }
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
