package io.neardup.tools.analysis;

import io.neardup.engine.text.BoilerplateHeader;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.ShingleTexts;
import io.neardup.engine.text.Shingling;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
    public static BoilerplateCount of(List<String> texts, Shingling shingling, double share) {
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
            List<String> texts, Collection<List<String>> sources, Shingling shingling, double share) {
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
            List<String> texts, Collection<List<String>> sources, Shingling shingling, double share, Bounds bounds) {
        Counting counting = new Counting(shingling.whole(), share, bounds);
        Clustered all = counting.clustered(texts);
        HeldShingles held = counting.held(all);
        double leftOut = held.shareOfCommon();
        counting.add(all, held);
        int counted = 0;
        for (List<String> source : sources) {
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
    private record Clustered(List<String> texts, ShingleSource source, Clusters clusters, Clusters apart) {
        int count() {
            return clusters.count() < CLUSTERS_MIN ? apart.count() : clusters.count();
        }
    }

    /** What was found so far: the text of each common shingle, and how many clusters of a sample hold it at most. */
    private static final class Counting {
        private final Shingling shingling;
        private final double share;
        private final Bounds bounds;
        private final ShingleTexts texts;
        private final Map<String, Integer> found = new HashMap<>();

        Counting(Shingling shingling, double share, Bounds bounds) {
            this.shingling = shingling;
            this.share = share;
            this.bounds = bounds;
            this.texts = new ShingleTexts(shingling, SEED);
        }

        /** Counts in the texts of some clusters. */
        HeldShingles held(Clustered clustered) {
            HeldShingles held = new HeldShingles(clustered.source);
            held.count(clustered.clusters, share);
            if (clustered.apart != clustered.clusters) {
                held.count(clustered.apart, share);
            }
            return held;
        }

        /** Finds the texts of what is common there. */
        void add(Clustered clustered, HeldShingles held) {
            for (String text : clustered.texts) {
                texts.find(text, hash -> held.common(hash) > 0, (hash, shingle) -> {
                    found.merge(shingle, held.common(hash), Math::max);
                    held.forget(hash);
                });
            }
        }

        /** The clusters of a sample, or of what of it can be compared. */
        Clustered clustered(List<String> sample) {
            TextShingles source = new TextShingles(sample, shingling, SEED);
            long stepsMax = sample.size() == 1 ? Long.MAX_VALUE : bounds.stepsMax;
            Clusters clusters = Clusters.of(source, stepsMax).orElse(null);
            Clusters apart = clusters == null
                    ? null
                    : clusters.takenApart(source, stepsMax).orElse(null);
            return clusters == null || apart == null
                    ? clustered(everyOther(sample))
                    : new Clustered(sample, source, clusters, apart);
        }

        /** As random as the sample is. */
        private static List<String> everyOther(List<String> sample) {
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
                                + " the documents alone (tune FILE --boilerplate OUT --share S), or leave out --by",
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

    /** Which shingles that several documents hold are common, and how many clusters hold them. */
    private static final class HeldShingles {
        private final ShingleSource source;
        private final RepeatFilter repeated;
        private final ShingleNumbers numbers = new ShingleNumbers();
        private int[] common = new int[1024];
        private int[] held = new int[1024];
        private int[] last = new int[1024];

        HeldShingles(ShingleSource source) {
            this.source = source;
            this.repeated = new RepeatFilter(source.shinglesMax());
            for (int document = 0; document < source.documents(); document++) {
                repeated.see(source.shingles(document));
            }
        }

        /** Finds what more than a share of these clusters hold. */
        void count(Clusters clusters, double share) {
            Arrays.fill(held, 0);
            Arrays.fill(last, 0);
            for (int document : clusters.inOrder()) {
                count(source.shingles(document), clusters.of(document) + 1);
            }
            int least = Math.max(CLUSTERS_MIN, (int) Math.floor(share * clusters.count()) + 1);
            for (int number = 0; number < held.length; number++) {
                common[number] = Math.max(common[number], held[number] >= least ? held[number] : 0);
            }
        }

        /** @param cluster from 1 on; all documents of a cluster come one after the other */
        private void count(ShingleSet shingles, int cluster) {
            for (int i = 0; i < shingles.size(); i++) {
                if (!repeated.isRepeated(shingles.hash(i))) {
                    continue;
                }
                int number = numbers.meet(shingles.hash(i));
                if (number == held.length) {
                    common = Arrays.copyOf(common, 2 * number);
                    held = Arrays.copyOf(held, 2 * number);
                    last = Arrays.copyOf(last, 2 * number);
                }
                held[number] += last[number] == cluster ? 0 : 1;
                last[number] = cluster;
            }
        }

        /** How many clusters hold a common shingle; 0 for any other, and those forgotten. */
        int common(long hash) {
            int number = numbers.find(hash);
            return number < 0 ? 0 : common[number];
        }

        void forget(long hash) {
            common[numbers.find(hash)] = 0;
        }

        /** The share of all documents' shingles that are common. */
        double shareOfCommon() {
            long all = 0;
            long left = 0;
            for (int document = 0; document < source.documents(); document++) {
                ShingleSet shingles = source.shingles(document);
                all += shingles.size();
                for (int i = 0; i < shingles.size(); i++) {
                    left += common(shingles.hash(i)) > 0 ? 1 : 0;
                }
            }
            return all == 0 ? 0 : left / (double) all;
        }
    }
}
