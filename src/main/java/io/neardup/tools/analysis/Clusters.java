package io.neardup.tools.analysis;

import io.neardup.engine.text.Shingler;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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
     * The clusters of some texts.
     *
     * @param stepsMax shingles that are compared, of a few nanoseconds each
     * @return empty if that is not enough
     */
    static Optional<Clusters> of(List<ComparedText> texts, Shingler shingler, long stepsMax) {
        int[] all = IntStream.range(0, texts.size()).toArray();
        int[] parents = all.clone();
        return link(texts, shingler, all, LINKED, parents, stepsMax)
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
    Optional<Clusters> takenApart(List<ComparedText> texts, Shingler shingler, long stepsMax) {
        int[] apart = parents.clone();
        boolean enough = true;
        for (double linked : new double[] {LINKED_MORE, LINKED_MOST}) {
            int[] alike = tooManyForAStory(apart);
            for (int document : alike) {
                apart[document] = document;
            }
            enough = enough && link(texts, shingler, alike, linked, apart, stepsMax);
        }
        if (!enough) {
            return Optional.empty();
        }
        Clusters split = new Clusters(apart);
        return Optional.of(Arrays.equals(split.clusterOf, clusterOf) ? this : split);
    }

    /** Links some documents; what hangs together already is not compared. Returns whether the steps were enough. */
    private static boolean link(
            List<ComparedText> texts, Shingler shingler, int[] some, double linked, int[] parents, long stepsMax) {
        List<ComparedText> compared = IntStream.of(some).mapToObj(texts::get).toList();
        return new SignatureIndex.Pairs(compared, shingler, done -> {})
                .join(
                        linked,
                        new SignatureIndex.Sink() {
                            @Override
                            public void pair(int first, int second, double jaccard) {
                                parents[root(parents, some[second])] = root(parents, some[first]);
                            }

                            @Override
                            public boolean wants(int first, int second) {
                                return root(parents, some[first]) != root(parents, some[second]);
                            }
                        },
                        done -> {},
                        stepsMax);
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
