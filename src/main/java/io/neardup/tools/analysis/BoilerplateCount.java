package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.neardup.engine.text.BoilerplateHeader;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.engine.text.ShingleTexts;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Which shingles many unlike documents hold. Counted are {@link Clusters}, so that a story with many edited copies
 * counts once, and a template of most documents does not. A shingle is common if more than a share of the clusters hold
 * it, and no fewer than {@value #CLUSTERS_MIN}: what fewer hold may be chance, or the words of a story. Two runs agree.
 *
 * <p>Bound: documents that are so alike that to compare them all takes too long are halved until it does not.
 *
 * @param documents that were counted
 * @param clusters that they make
 * @param sources that were counted by themselves, each with {@value #CLUSTERS_MIN} clusters or more
 * @param leftOut the share of the documents' shingles that are common among all, 0 to 1; what is common in a source
 *     alone is not in it
 * @param boilerplate the shingles; none where there is none, or there are too few clusters
 */
public record BoilerplateCount(
        int documents,
        int clusters,
        @JsonProperty("sourcesCounted") int sources,
        double leftOut,
        @JsonIgnore Optional<BoilerplateShingles> boilerplate) {
    /** Clusters that hold a common shingle at least. */
    public static final int CLUSTERS_MIN = 20;

    /** More than this share of the clusters hold a common shingle, where nothing else is said. */
    public static final double DEFAULT_SHARE = 0.05;

    /** Boilerplate shingles at most: no source is counted any more once there are so many. */
    static final int COMMON_MAX = 1_000_000;

    private static final long SEED = 1;

    /** The order of a file. */
    private static final Comparator<String> BYTES =
            Comparator.comparing(text -> text.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    /** A search takes some seconds. */
    private static final Bounds BOUNDS = new Bounds(2_000_000_000L, BoilerplateShingles.SIZE_MAX);

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
        Clusters all = counting.clusters(texts);
        Map<Long, Integer> common = counting.common(all);
        double leftOut = counting.shareOf(common.keySet(), all.texts());
        counting.add(all, common);
        int counted = 0;
        for (List<ComparedText> source : sources) {
            if (source.size() >= CLUSTERS_MIN && counting.found.size() < COMMON_MAX) {
                Clusters own = counting.clusters(source);
                counting.add(own, counting.common(own));
                counted += own.members().size() >= CLUSTERS_MIN ? 1 : 0;
            }
        }
        int documents = all.texts().size();
        int clusters = all.members().size();
        return new BoilerplateCount(
                documents, clusters, counted, leftOut, counting.finish(documents, clusters, counted));
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

        Clusters clusters(List<ComparedText> sample) {
            return Clusters.of(sample, shingler, bounds.stepsMax);
        }

        Map<Long, Integer> common(Clusters clusters) {
            Shingles buffer = new Shingles();
            Shingles ofCluster = new Shingles();
            LongStream.Builder hashes = LongStream.builder();
            for (List<Integer> cluster : clusters.members()) {
                ofCluster.clear();
                for (int document : cluster) {
                    clusters.texts().get(document).shingle(shingler, buffer);
                    hashes(buffer).forEach(ofCluster::add);
                }
                hashes(ofCluster).distinct().forEach(hashes);
            }
            long[] rising = hashes.build().sorted().toArray();
            int least = Math.max(
                    CLUSTERS_MIN, (int) Math.floor(share * clusters.members().size()) + 1);
            Map<Long, Integer> common = new HashMap<>();
            for (int from = 0, to = 0; from < rising.length; from = to) {
                while (to < rising.length && rising[to] == rising[from]) {
                    to++;
                }
                if (to - from >= least) {
                    common.put(rising[from], to - from);
                }
            }
            return common;
        }

        private static LongStream hashes(Shingles shingles) {
            return IntStream.range(0, shingles.size()).mapToLong(shingles::hash);
        }

        double shareOf(Set<Long> common, List<ComparedText> sample) {
            Shingles buffer = new Shingles();
            long all = 0;
            long left = 0;
            for (ComparedText text : sample) {
                text.shingle(shingler, buffer);
                all += hashes(buffer).distinct().count();
                left += hashes(buffer).distinct().filter(common::contains).count();
            }
            return all == 0 ? 0 : left / (double) all;
        }

        void add(Clusters clusters, Map<Long, Integer> common) {
            for (ComparedText text : clusters.texts()) {
                texts.find(
                        text.text(),
                        common::containsKey,
                        (hash, shingle) ->
                                found.merge(shingle, Objects.requireNonNull(common.remove(hash)), Math::max));
            }
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
            BoilerplateHeader header = BoilerplateHeader.of(shingling, documents, clusters, sources, share);
            BoilerplateShingles.Builder builder = new BoilerplateShingles.Builder(header);
            found.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey(BYTES))
                    .forEach(entry -> builder.add(entry.getValue(), entry.getKey()));
            return Optional.of(builder.build());
        }
    }
}
