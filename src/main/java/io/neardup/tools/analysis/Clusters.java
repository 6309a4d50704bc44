package io.neardup.tools.analysis;

import io.neardup.engine.text.Shingler;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Documents that hang together: from each leads a way to each other of its cluster, on which two neighbours have a
 * Jaccard similarity of at least {@value #LINKED}. More than half of all documents are no story with its copies, but
 * share a template: such a cluster is taken apart by {@value #LINKED_IN_TEMPLATE}.
 *
 * @param texts of the documents
 * @param members of each cluster the places of its texts
 */
record Clusters(List<ComparedText> texts, List<List<Integer>> members) {
    /** From here on two documents are one story, whatever the threshold of the service is. */
    private static final double LINKED = 0.7;

    /** The same among documents that share a template. */
    private static final double LINKED_IN_TEMPLATE = 0.9;

    private static final double STORY_SHARE_MAX = 0.5;

    /**
     * The clusters of some texts, or of every other one of them where to compare more takes too long, and so on.
     *
     * @param stepsMax shingles that are compared, of a few nanoseconds each
     */
    static Clusters of(List<ComparedText> texts, Shingler shingler, long stepsMax) {
        Links links = new Links(texts, shingler, texts.size() == 1 ? Long.MAX_VALUE : stepsMax);
        boolean isEnough = links.link(IntStream.range(0, texts.size()).boxed().toList(), LINKED);
        List<Integer> alike = links.clusters().stream()
                .filter(cluster -> cluster.size() > STORY_SHARE_MAX * texts.size())
                .flatMap(List::stream)
                .toList();
        alike.forEach(document -> links.parents[document] = document);
        if (isEnough && links.link(alike, LINKED_IN_TEMPLATE)) {
            return new Clusters(texts, links.clusters());
        }
        List<ComparedText> half = IntStream.range(0, (texts.size() + 1) / 2)
                .mapToObj(i -> texts.get(2 * i))
                .toList();
        return of(half, shingler, stepsMax);
    }

    private static final class Links {
        private final List<ComparedText> texts;
        private final Shingler shingler;
        private final long stepsMax;
        /** Of each document another one of its cluster, up to a root that is its own. */
        private final int[] parents;

        Links(List<ComparedText> texts, Shingler shingler, long stepsMax) {
            this.texts = texts;
            this.shingler = shingler;
            this.stepsMax = stepsMax;
            this.parents = IntStream.range(0, texts.size()).toArray();
        }

        List<List<Integer>> clusters() {
            return List.copyOf(IntStream.range(0, parents.length)
                    .boxed()
                    .collect(Collectors.groupingBy(this::root, TreeMap::new, Collectors.toList()))
                    .values());
        }

        /** Links some documents, unless it takes too long; what hangs together already is not compared. */
        boolean link(List<Integer> some, double linked) {
            List<ComparedText> compared = some.stream().map(texts::get).toList();
            return new SimilarPairs(compared, shingler, "", text -> {})
                    .join(
                            linked,
                            stepsMax,
                            (first, second) -> root(some.get(first)) != root(some.get(second)),
                            (first, second, jaccard) -> {
                                int one = root(some.get(first));
                                int other = root(some.get(second));
                                parents[Math.max(one, other)] = Math.min(one, other);
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
}
