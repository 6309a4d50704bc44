package io.neardup.tools.analysis;

import io.neardup.engine.text.BoilerplateHeader;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.ShingleTexts;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which shingles many unlike documents hold. Counted are {@link Clusters}, so that a story with many edited copies
 * counts once, and the same with clusters {@linkplain Clusters#takenApart taken apart}, so that a template of most
 * documents does not. A shingle is common if more than a share of either clusters hold it, and no fewer than
 * {@value #CLUSTERS_MIN}: what fewer hold may be chance, or the words of a story. Two runs agree.
 *
 * <p>Bound: documents that are so alike that to compare them all takes too long are halved until it does not.
 *
 * @param documents that were counted
 * @param clusters that they make; those taken apart, if these alone are enough
 * @param sources that were counted by themselves, each with {@value #CLUSTERS_MIN} clusters or more
 * @param leftOut the share of the documents' shingles that are common among all, 0 to 1; what is common in a source
 *     alone is not in it
 * @param boilerplate the shingles; none where there is none, or there are too few clusters
 */
public record BoilerplateCount(
        int documents, int clusters, int sources, double leftOut, Optional<BoilerplateShingles> boilerplate) {
    /** Clusters that hold a common shingle at least. */
    public static final int CLUSTERS_MIN = 20;

    /** More than this share of the clusters hold a common shingle, where nothing else is said. */
    public static final double DEFAULT_SHARE = 0.05;

    /** Boilerplate shingles at most: no source is counted any more once there are so many. */
    static final int COMMON_MAX = 1_000_000;

    private static final long SEED = 1;

    /** A search takes some seconds. */
    private static final Bounds BOUNDS = new Bounds(2_000_000_000L, BoilerplateShingles.SIZE_MAX);

    /** Whether there are enough clusters to tell what is common. */
    public boolean isEnough() {
        return clusters >= CLUSTERS_MIN;
    }

    /**
     * Counts in one sample.
     *
     * @param texts normalized; a random sample of what is to be deduplicated
     * @param shingling how they are cut; what it leaves out counts here
     * @param share above 0, below 1
     */
    public static BoilerplateCount of(List<ComparedText> texts, Shingling shingling, double share) {
        return of(texts, List.of(), shingling, share);
    }

    /**
     * Counts in a sample and in each source by itself. What is common in either is common.
     *
     * @param texts normalized; a random sample of all
     * @param sources normalized texts of each source, a random sample of its own
     * @throws IllegalArgumentException when more are common than {@link BoilerplateShingles#SIZE_MAX}
     */
    public static BoilerplateCount of(
            List<ComparedText> texts, Collection<List<ComparedText>> sources, Shingling shingling, double share) {
        return of(texts, sources, shingling, share, BOUNDS);
    }

    /**
     * What is counted at the most.
     *
     * @param stepsMax of one search for clusters, as for {@link Clusters#of}
     * @param sizeMax shingles that a file takes
     */
    record Bounds(long stepsMax, int sizeMax) {}

    static BoilerplateCount of(
            List<ComparedText> texts,
            Collection<List<ComparedText>> sources,
            Shingling shingling,
            double share,
            Bounds bounds) {
        Counting counting = new Counting(shingling.whole(), share, bounds);
        Clustered all = counting.clustered(texts);
        Map<Long, Integer> held = counting.held(all);
        double leftOut = counting.shareOf(held.keySet(), all.texts);
        counting.add(all, held);
        int counted = 0;
        for (List<ComparedText> source : sources) {
            if (source.size() >= CLUSTERS_MIN && counting.found.size() < COMMON_MAX) {
                Clustered clustered = counting.clustered(source);
                counting.add(clustered, counting.held(clustered));
                counted += clustered.count() >= CLUSTERS_MIN ? 1 : 0;
            }
        }
        int documents = all.texts.size();
        return new BoilerplateCount(
                documents, all.count(), counted, leftOut, counting.finish(documents, all.count(), counted));
    }

    /** Texts that were compared with each other, and their clusters. */
    private record Clustered(List<ComparedText> texts, Clusters clusters, Clusters apart) {
        int count() {
            return clusters.count() < CLUSTERS_MIN ? apart.count() : clusters.count();
        }
    }

    /** What was found so far: the text of each common shingle, and how many clusters of a sample hold it at most. */
    private static final class Counting {
        private final Shingling shingling;
        private final double share;
        private final Bounds bounds;
        private final Shingler shingler;
        private final ShingleTexts texts;
        private final Map<String, Integer> found = new HashMap<>();

        Counting(Shingling shingling, double share, Bounds bounds) {
            this.shingling = shingling;
            this.share = share;
            this.bounds = bounds;
            this.shingler = shingling.shingler(SEED);
            this.texts = new ShingleTexts(shingling, SEED);
        }

        /** How many clusters hold what is common there, by hashes. */
        Map<Long, Integer> held(Clustered clustered) {
            Map<Long, Integer> held = held(clustered.texts, clustered.clusters);
            if (clustered.apart != clustered.clusters) {
                held(clustered.texts, clustered.apart).forEach((hash, count) -> held.merge(hash, count, Math::max));
            }
            return held;
        }

        private Map<Long, Integer> held(List<ComparedText> sample, Clusters clusters) {
            Shingles buffer = new Shingles();
            Shingles ofCluster = new Shingles();
            long[] hashes = new long[1024];
            int size = 0;
            int[] order = clusters.inOrder();
            for (int place = 0; place < order.length; place++) {
                sample.get(order[place]).shingle(shingler, buffer);
                for (int i = 0; i < buffer.size(); i++) {
                    ofCluster.add(buffer.hash(i));
                }
                if (place + 1 == order.length || clusters.of(order[place + 1]) != clusters.of(order[place])) {
                    ShingleSet once = ShingleSet.of(ofCluster);
                    ofCluster.clear();
                    hashes = size + once.size() > hashes.length
                            ? Arrays.copyOf(hashes, size + once.size() + size / 2)
                            : hashes;
                    for (int i = 0; i < once.size(); i++) {
                        hashes[size++] = once.hash(i);
                    }
                }
            }
            Arrays.sort(hashes, 0, size);
            int least = Math.max(CLUSTERS_MIN, (int) Math.floor(share * clusters.count()) + 1);
            Map<Long, Integer> common = new HashMap<>();
            for (int from = 0, to = 0; from < size; from = to) {
                while (to < size && hashes[to] == hashes[from]) {
                    to++;
                }
                if (to - from >= least) {
                    common.put(hashes[from], to - from);
                }
            }
            return common;
        }

        /** The share of some texts' shingles that are common. */
        double shareOf(Set<Long> common, List<ComparedText> sample) {
            Shingles buffer = new Shingles();
            long all = 0;
            long left = 0;
            for (ComparedText text : sample) {
                ShingleSet shingles = text.shingles(shingler, buffer);
                all += shingles.size();
                left += IntStream.range(0, shingles.size())
                        .filter(i -> common.contains(shingles.hash(i)))
                        .count();
            }
            return all == 0 ? 0 : left / (double) all;
        }

        /** Finds the texts of what is common there. */
        void add(Clustered clustered, Map<Long, Integer> held) {
            for (ComparedText text : clustered.texts) {
                texts.find(
                        text.text(),
                        held::containsKey,
                        (hash, shingle) -> found.merge(shingle, Objects.requireNonNull(held.remove(hash)), Math::max));
            }
        }

        /** The clusters of a sample, or of what of it can be compared. */
        Clustered clustered(List<ComparedText> sample) {
            long stepsMax = sample.size() == 1 ? Long.MAX_VALUE : bounds.stepsMax;
            Clusters clusters = Clusters.of(sample, shingler, stepsMax).orElse(null);
            Clusters apart = clusters == null
                    ? null
                    : clusters.takenApart(sample, shingler, stepsMax).orElse(null);
            return clusters == null || apart == null
                    ? clustered(everyOther(sample))
                    : new Clustered(sample, clusters, apart);
        }

        /** As random as the sample is. */
        private static List<ComparedText> everyOther(List<ComparedText> sample) {
            return IntStream.range(0, sample.size())
                    .filter(place -> place % 2 == 0)
                    .mapToObj(sample::get)
                    .toList();
        }

        Optional<BoilerplateShingles> finish(int documents, int clusters, int sources) {
            found.keySet().removeIf(text -> text.length() > BoilerplateShingles.TEXT_LENGTH_MAX);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            if (found.size() > bounds.sizeMax) {
                throw new IllegalArgumentException(String.format(
                        Locale.ROOT,
                        "expected at most %,d boilerplate shingles of %s, found %,d: take those of a larger share of"
                                + " the documents alone (tune boilerplate with another --share), or leave out --by",
                        bounds.sizeMax,
                        shingling.spec(),
                        found.size()));
            }
            byte[][] sorted = found.keySet().stream()
                    .map(text -> text.getBytes(StandardCharsets.UTF_8))
                    .sorted(Arrays::compareUnsigned)
                    .toArray(byte[][]::new);
            BoilerplateHeader header = BoilerplateHeader.of(shingling, documents, clusters, sources, share);
            try (BoilerplateShingles.Builder builder = new BoilerplateShingles.Builder(header)) {
                for (byte[] utf8 : sorted) {
                    String text = new String(utf8, StandardCharsets.UTF_8);
                    builder.add(found.getOrDefault(text, 0), text);
                }
                return Optional.of(builder.build());
            }
        }
    }
}
