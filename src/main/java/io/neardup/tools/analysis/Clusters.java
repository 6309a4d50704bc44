package io.neardup.tools.analysis;

import io.neardup.engine.text.Shingler;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Documents that hang together: from each leads a way to each other of its cluster, on which two neighbours have a
 * Jaccard similarity of at least {@value #LINKED}. Immutable.
 */
final class Clusters {
    /** From here on two documents are one story, whatever the threshold of the service is. */
    static final double LINKED = 0.7;

    /** The same among documents that share a template. */
    private static final double LINKED_IN_TEMPLATE = 0.9;

    private static final double STORY_SHARE_MAX = 0.5;

    /** Of each document the first of its cluster. */
    private final int[] firsts;

    private final List<List<Integer>> members;

    /** @param parents of each document another one of its cluster, up to a root that is its own */
    private Clusters(int[] parents) {
        this.firsts = IntStream.range(0, parents.length)
                .map(document -> root(parents, document))
                .toArray();
        this.members = List.copyOf(IntStream.range(0, firsts.length)
                .boxed()
                .collect(Collectors.groupingBy(document -> firsts[document], TreeMap::new, Collectors.toList()))
                .values());
    }

    /** The documents of each cluster. */
    List<List<Integer>> members() {
        return members;
    }

    /**
     * The clusters of some texts.
     *
     * @param stepsMax shingles that are compared, of a few nanoseconds each
     * @return empty if that is not enough
     */
    static Optional<Clusters> of(List<ComparedText> texts, Shingler shingler, long stepsMax) {
        int[] all = IntStream.range(0, texts.size()).toArray();
        return linked(texts, shingler, all, LINKED, all.clone(), stepsMax);
    }

    /**
     * More than half of all documents are no story with its copies, but share a template: such a cluster is taken apart
     * by {@value #LINKED_IN_TEMPLATE}.
     *
     * @param stepsMax as before
     * @return these clusters where none is so large; empty if the steps are not enough
     */
    Optional<Clusters> takenApart(List<ComparedText> texts, Shingler shingler, long stepsMax) {
        int[] sizes = new int[firsts.length];
        IntStream.of(firsts).forEach(first -> sizes[first]++);
        int[] alike = IntStream.range(0, firsts.length)
                .filter(document -> sizes[firsts[document]] > STORY_SHARE_MAX * firsts.length)
                .toArray();
        int[] apart = firsts.clone();
        IntStream.of(alike).forEach(document -> apart[document] = document);
        return alike.length == 0
                ? Optional.of(this)
                : linked(texts, shingler, alike, LINKED_IN_TEMPLATE, apart, stepsMax);
    }

    /** Links some documents; what hangs together already is not compared. */
    private static Optional<Clusters> linked(
            List<ComparedText> texts, Shingler shingler, int[] some, double linked, int[] parents, long stepsMax) {
        List<ComparedText> compared = IntStream.of(some).mapToObj(texts::get).toList();
        boolean isEnough = new SimilarPairs(compared, shingler, "", text -> {})
                .join(linked, stepsMax, new SimilarPairs.Sink() {
                    @Override
                    public void pair(int first, int second, double jaccard) {
                        int one = root(parents, some[first]);
                        int other = root(parents, some[second]);
                        parents[Math.max(one, other)] = Math.min(one, other);
                    }

                    @Override
                    public boolean wants(int first, int second) {
                        return root(parents, some[first]) != root(parents, some[second]);
                    }
                });
        return isEnough ? Optional.of(new Clusters(parents)) : Optional.empty();
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
}
