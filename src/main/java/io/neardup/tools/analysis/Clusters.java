package io.neardup.tools.analysis;

import io.neardup.engine.text.Shingler;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Documents that hang together: from each leads a way to each other of its cluster, on which two neighbours have a
 * Jaccard similarity of at least {@value #LINKED}. More than half of all documents are no story with its copies, but
 * share a template: such a cluster is taken apart by {@value #LINKED_IN_TEMPLATE}.
 */
final class Clusters {
    /** From here on two documents are one story, whatever the threshold of the service is. */
    private static final double LINKED = 0.7;

    /** The same among documents that share a template. */
    private static final double LINKED_IN_TEMPLATE = 0.9;

    private static final double STORY_SHARE_MAX = 0.5;

    private final List<ComparedText> texts;
    private final Shingler shingler;
    private final long stepsMax;
    /** Of each document another one of its cluster, up to a root that is its own. */
    private final int[] parents;

    private Clusters(List<ComparedText> texts, Shingler shingler, long stepsMax) {
        this.texts = texts;
        this.shingler = shingler;
        this.stepsMax = stepsMax;
        this.parents = IntStream.range(0, texts.size()).toArray();
    }

    /**
     * The documents of each cluster of some texts.
     *
     * @param stepsMax shingles that are compared, of a few nanoseconds each
     * @return empty if that is not enough
     */
    static Optional<List<List<Integer>>> of(List<ComparedText> texts, Shingler shingler, long stepsMax) {
        Clusters clusters = new Clusters(texts, shingler, stepsMax);
        int[] all = clusters.parents.clone();
        if (!clusters.link(all, LINKED)) {
            return Optional.empty();
        }
        int[] alike = clusters.members().stream()
                .filter(cluster -> cluster.size() > STORY_SHARE_MAX * texts.size())
                .flatMapToInt(cluster -> cluster.stream().mapToInt(Integer::intValue))
                .toArray();
        for (int document : alike) {
            clusters.parents[document] = document;
        }
        return clusters.link(alike, LINKED_IN_TEMPLATE) ? Optional.of(clusters.members()) : Optional.empty();
    }

    private List<List<Integer>> members() {
        return List.copyOf(IntStream.range(0, parents.length)
                .boxed()
                .collect(Collectors.groupingBy(this::root, TreeMap::new, Collectors.toList()))
                .values());
    }

    /** Links some documents; what hangs together already is not compared. */
    private boolean link(int[] some, double linked) {
        List<ComparedText> compared = IntStream.of(some).mapToObj(texts::get).toList();
        return new SimilarPairs(compared, shingler, "", text -> {}).join(linked, stepsMax, new SimilarPairs.Sink() {
            @Override
            public void pair(int first, int second, double jaccard) {
                int one = root(some[first]);
                int other = root(some[second]);
                parents[Math.max(one, other)] = Math.min(one, other);
            }

            @Override
            public boolean wants(int first, int second) {
                return root(some[first]) != root(some[second]);
            }
        });
    }

    /** Halves the way to the root for those who go it next. */
    private int root(int document) {
        int at = document;
        while (parents[at] != at) {
            parents[at] = parents[parents[at]];
            at = parents[at];
        }
        return at;
    }
}
