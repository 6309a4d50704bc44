package io.neardup.tools.analysis;

import io.neardup.engine.similarity.FastSimilaritySketch;
import io.neardup.engine.text.Overlap;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A random sample of the pairs of documents, each with the number of pairs that it stands for.
 *
 * <p>Anchors, drawn at random, are indexed by their signatures. All documents pass them once. The pairs that share
 * equally many values are a stratum: those that share none are the unlike, and most of all; those that share many are
 * alike. Of each stratum so many are drawn at random, all with the same chance, and stand for the others of it; of the
 * alike all where they are few. So every pair counts as often as it should, however wrong the signatures are (Horvitz
 * and Thompson 1952); good ones make the counts of the alike exact where all documents are anchors. Two runs draw the
 * same.
 *
 * <p>To count documents that have a neighbour, rather than pairs, the alike are drawn by anchor: of each stratum the
 * same maximum for each. Drawn from all pairs, most would belong to the few anchors with the most neighbours, and
 * valleys would look deeper than they are.
 *
 * <p>Bounds: work and memory lower the number of anchors and of the pairs kept of each stratum, never the pairs of one
 * anchor. Long texts are measured by a random sample of their shingles, which is the same for equal shingles, so that
 * similarities are estimated without bias: from n shingles of two texts together within 1 / (2 sqrt(n)) (standard
 * deviation). Safe for use by several threads.
 */
public final class PairSample {
    /** Texts of any language and of no language have these. */
    static final String SCREEN = "char:5";

    /**
     * @param anchors documents that are indexed
     * @param anchorBytes of their texts, of long ones the part that is measured
     * @param alike pairs of each stratum in which {@value #ALIKE_MIN} values are shared, or more
     * @param isByAnchor whether these are drawn by anchor
     * @param unlike pairs of each of the others; of those that share none {@value #UNLIKE} times as many
     * @param compared bytes of the texts of all pairs together, each counted as often as it is in one
     * @param held bytes of the texts of all pairs together, each counted once; of no matter where all are held anyway
     */
    record Limits(int anchors, long anchorBytes, int alike, boolean isByAnchor, int unlike, long compared, long held) {
        /** Of texts that are held anyway. */
        Limits(int anchors, long anchorBytes, int pairs, boolean isByAnchor, long compared) {
            this(anchors, anchorBytes, pairs, isByAnchor, pairs, compared, Long.MAX_VALUE);
        }

        private int pairs(int shared, int halved) {
            int most = shared >= ALIKE_MIN ? alike : shared > 0 ? unlike : UNLIKE * unlike;
            return Math.max(1, most >> halved);
        }
    }

    /** @param weight pairs that it stands for, itself included */
    private record Drawn(int anchor, ComparedText document, double weight) {}

    /**
     * Pairs that share equally many values, in groups: those of one anchor each, or all in one. Of each group as many
     * are drawn as of the largest, or all of it. If one a group is too many, the last groups stay empty; as anchors are
     * in random order, that is a draw too.
     */
    private final class Stratum {
        private final @Nullable Reservoir<Drawn>[] groups;
        private int pairsMax;
        private int groupMax;
        private int pairs;
        private long bytes;
        /** From here on they stay empty. */
        private int groupsEnd;

        private long seen;

        @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
        Stratum(int pairsMax, int groups) {
            this.groups = new Reservoir[groups];
            this.groupsEnd = groups;
            this.pairsMax = pairsMax;
            this.groupMax = pairsMax;
        }

        void pass(int anchor, ComparedText document) {
            seen++;
            int group = groups.length == 1 ? 0 : anchor;
            if (group >= groupsEnd) {
                return;
            }
            Reservoir<Drawn> reservoir = groups[group];
            if (reservoir == null) {
                reservoir = new Reservoir<>(groupMax, Long.MAX_VALUE, PairSample.this::bytes);
                groups[group] = reservoir;
            }
            long rank = Reservoir.randomRank(numbers[anchor], document.number());
            if (reservoir.offer(rank)) {
                pairs -= reservoir.count();
                bytes -= reservoir.size();
                reservoir.keep(rank, new Drawn(anchor, document, 1));
                pairs += reservoir.count();
                bytes += reservoir.size();
                lower(pairsMax);
            }
        }

        void lower(int most) {
            pairsMax = Math.min(pairsMax, most);
            while (pairs > pairsMax) {
                int largest = inGroups().mapToInt(Reservoir::count).max().orElse(0);
                if (groups.length == 1) {
                    groupMax = pairsMax;
                } else if (largest > 1) {
                    groupMax = largest - Math.max(1, largest / GROUP_STEP_INVERSE);
                } else {
                    groups[--groupsEnd] = null;
                }
                inGroups().forEach(group -> group.lower(groupMax));
                pairs = inGroups().mapToInt(Reservoir::count).sum();
                bytes = inGroups().mapToLong(Reservoir::size).sum();
            }
        }

        private Stream<Reservoir<Drawn>> inGroups() {
            return Arrays.stream(groups).filter(Objects::nonNull);
        }

        /** All that are drawn, with the number of pairs that each stands for. */
        Stream<Drawn> weighted() {
            double each = seen / (double) inGroups().mapToLong(Reservoir::seen).sum();
            return inGroups().flatMap(group -> group.drawn().stream()
                    .map(pair -> new Drawn(pair.anchor, pair.document, each * group.seen() / group.count())));
        }
    }

    /** Reads documents one after the other, from the start. */
    interface Reading {
        void forEach(Consumer<ComparedText> consumer) throws IOException;
    }

    /** Values of a signature: two documents of similarity .05 share one with a chance of .96. */
    private static final int VALUES = 64;

    /** Pairs of a similarity of about an eighth: below it no valley is looked for. */
    private static final int ALIKE_MIN = 8;

    private static final int UNLIKE = 5;
    /** A document with a larger part of them is no anchor: few others could be. */
    private static final int PART_MAX_INVERSE = 4;
    /** Of texts of which half have more different shingles, as many or half as many are measured. */
    private static final int MEASURED_MAX = 8_192;

    /** By so large a part of itself the largest group becomes smaller at once. */
    private static final int GROUP_STEP_INVERSE = 8;

    /** Of the bounds on bytes, what passes until they are looked at again. */
    private static final int CHECKED_INVERSE = 32;

    private final List<ComparedText> anchors;
    /** Those of the anchors, side by side: they are read for each document. */
    private final int[] numbers;

    private final int documents;
    private final Limits limits;
    private final Map<Integer, Integer> placeOfAnchor = new HashMap<>();
    /** By the number of values that the documents of a pair share. */
    private final List<Stratum> strata = new ArrayList<>();

    /** Of the typical length: tells how many shingles others have. */
    private final @Nullable ComparedText typical;

    /** How often the limits of the strata were halved. */
    private int halved;
    /** Bytes that have passed since it was last checked whether they must be. */
    private long unchecked;

    /** Those of one document together. */
    private List<Drawn> pairs = List.of();

    /** @param drawn in random order: of these the first that work and memory allow are anchors */
    private PairSample(List<ComparedText> drawn, int documents, Limits limits) {
        this.documents = documents;
        this.limits = limits;
        this.typical = drawn.stream()
                .sorted(Comparator.comparingInt(ComparedText::length))
                .skip(drawn.size() / 2)
                .findFirst()
                .orElse(null);
        this.anchors = fitting(drawn);
        this.numbers = anchors.stream().mapToInt(ComparedText::number).toArray();
        for (int shared = 0; shared <= VALUES; shared++) {
            boolean isByAnchor = limits.isByAnchor && shared >= ALIKE_MIN;
            strata.add(new Stratum(limits.pairs(shared, halved), isByAnchor ? anchors.size() : 1));
        }
        anchors.forEach(anchor -> placeOfAnchor.put(anchor.number(), placeOfAnchor.size()));
    }

    private List<ComparedText> fitting(List<ComparedText> drawn) {
        int bits = typical == null ? 0 : bits(typical.length());
        List<ComparedText> fitting = new ArrayList<>();
        long left = limits.anchorBytes;
        for (ComparedText text : drawn) {
            long bytes = text.length() >> bits;
            if (fitting.isEmpty()
                    || (fitting.size() < limits.anchors
                            && bytes <= left
                            && bytes <= limits.anchorBytes / PART_MAX_INVERSE)) {
                fitting.add(text);
                left -= bytes;
            }
        }
        return fitting;
    }

    /** The pairs of documents that are all held. */
    static PairSample of(List<ComparedText> texts, Shingler screen, Limits limits) {
        try {
            return of(texts, texts.size(), texts::forEach, screen, limits);
        } catch (IOException e) {
            throw new IllegalStateException("nothing is read", e);
        }
    }

    /**
     * The pairs of documents of which some are drawn as anchors.
     *
     * @param drawn that may be anchors
     * @param documents that are to be read
     * @param screen whose signatures tell which pairs are alike
     */
    static PairSample of(List<ComparedText> drawn, int documents, Reading reading, Shingler screen, Limits limits)
            throws IOException {
        List<ComparedText> random = new ArrayList<>(drawn);
        random.sort(Comparator.comparingLong(text -> Reservoir.randomRank(text.number(), 0)));
        PairSample sample = new PairSample(random, documents, limits);
        // Of all shingles: a sample for the typical length would leave short texts none, and their copies unlike.
        SampledShingler whole = new SampledShingler(screen, 0);
        FastSimilaritySketch sketch = new FastSimilaritySketch(VALUES);
        SignatureIndex index = new SignatureIndex(sample.anchors.stream()
                .map(anchor -> SignatureIndex.sign(whole.shingles(anchor), sketch))
                .toList());
        reading.forEach(text -> {
            int paired = sample.placeOfAnchor.getOrDefault(text.number(), sample.anchors.size());
            sample.pass(text, paired, index.shared(SignatureIndex.sign(whole.shingles(text), sketch), paired));
        });
        sample.finish();
        return sample;
    }

    /** @param paired with how many of the anchors it is paired: of two anchors the later one with the earlier */
    private void pass(ComparedText document, int paired, int[] shared) {
        for (int anchor = 0; anchor < paired; anchor++) {
            strata.get(shared[anchor]).pass(anchor, document);
        }
        unchecked += document.heldBytes();
        if (unchecked > Math.min(limits.held, limits.compared) / CHECKED_INVERSE) {
            keepFewer();
            unchecked = 0;
        }
    }

    private long bytes(Drawn pair) {
        return anchors.get(pair.anchor).length() + pair.document.heldBytes();
    }

    private void keepFewer() {
        while (halved < Integer.SIZE - 1 && isTooMuch()) {
            halved++;
            for (int shared = 0; shared <= VALUES; shared++) {
                strata.get(shared).lower(limits.pairs(shared, halved));
            }
        }
    }

    private boolean isTooMuch() {
        long bytes = strata.stream().mapToLong(stratum -> stratum.bytes).sum();
        return bytes > limits.compared || (bytes > limits.held && heldBytes() > limits.held);
    }

    private long heldBytes() {
        Set<ComparedText> held = new HashSet<>();
        strata.stream()
                .flatMap(Stratum::inGroups)
                .flatMap(Reservoir::inNoOrder)
                .forEach(pair -> held.add(pair.document));
        return held.stream().mapToLong(ComparedText::heldBytes).sum();
    }

    private void finish() {
        keepFewer();
        pairs = strata.stream()
                .flatMap(Stratum::weighted)
                .sorted(Comparator.comparingInt((Drawn pair) -> pair.document.number())
                        .thenComparingInt(Drawn::anchor))
                .toList();
        strata.clear();
    }

    /** Cuts texts, and keeps of their shingles those whose hashes begin with so many zeros. For one thread. */
    private static final class SampledShingler {
        private final Shingler shingler;
        private final int zeros;
        private final Shingles all = new Shingles();
        private final Shingles kept = new Shingles();

        SampledShingler(Shingler shingler, int zeros) {
            this.shingler = shingler;
            this.zeros = zeros;
        }

        Shingles shingles(ComparedText text) {
            text.shingle(shingler, all);
            if (zeros == 0) {
                return all;
            }
            kept.clear();
            for (int i = 0; i < all.size(); i++) {
                if (Long.numberOfLeadingZeros(all.hash(i)) >= zeros) {
                    kept.add(all.hash(i));
                }
            }
            return kept;
        }

        ShingleSet set(ComparedText text) {
            return ShingleSet.of(shingles(text));
        }

        /** How many shingles some that were kept stand for. */
        int all(int count) {
            return (int) Math.min(Integer.MAX_VALUE, (long) count << zeros);
        }
    }

    private int bits(Shingler shingler) {
        return typical == null
                ? 0
                : bits(new SampledShingler(shingler, 0).set(typical).size());
    }

    /** How often a number of shingles must be halved to be no more than may be measured. */
    private static int bits(long number) {
        int bits = 0;
        while (number >> bits > MEASURED_MAX) {
            bits++;
        }
        return bits;
    }

    /**
     * @param typicalShingles different ones that half of the anchors have at the most
     * @param jaccards of each pair
     * @param together different shingles of both documents of each pair
     */
    @SuppressWarnings("ArrayRecordComponent") // handed on, and never compared
    record Similarities(int typicalShingles, double[] jaccards, int[] together) {}

    Similarities similarities(Shingling shingling) {
        SampledShingler sampled = new SampledShingler(
                shingling.shingler(0), bits(shingling.whole().shingler(0)));
        List<ShingleSet> sets = anchors.stream().map(sampled::set).toList();
        double[] jaccards = new double[pairs.size()];
        int[] together = new int[jaccards.length];
        ComparedText document = null;
        ShingleSet.Bitmapped set = null;
        for (int pair = 0; pair < jaccards.length; pair++) {
            if (set == null || pairs.get(pair).document != document) {
                document = pairs.get(pair).document;
                set = new ShingleSet.Bitmapped(
                        otherAnchor(pair) >= 0 ? sets.get(otherAnchor(pair)) : sampled.set(document));
            }
            Overlap overlap = set.overlap(sets.get(anchor(pair)));
            jaccards[pair] = overlap.jaccard();
            together[pair] = sampled.all(overlap.first() + overlap.second() - overlap.shared());
        }
        int[] sizes = sets.stream()
                .mapToInt(anchor -> sampled.all(anchor.size()))
                .sorted()
                .toArray();
        return new Similarities(sizes.length == 0 ? 0 : sizes[(sizes.length - 1) / 2], jaccards, together);
    }

    /** All pairs of documents by their similarities: each that is drawn as often as it stands for others. */
    SimilarityCounts counts(double[] jaccards) {
        SimilarityCounts counts = new SimilarityCounts();
        for (int pair = 0; pair < jaccards.length; pair++) {
            counts.add(jaccards[pair], weight(pair) / share());
        }
        return counts;
    }

    /** Pairs that are drawn, numbered from 0. */
    int size() {
        return pairs.size();
    }

    /** How many pairs one of the drawn ones stands for, itself included, of those with an anchor. */
    double weight(int pair) {
        return pairs.get(pair).weight;
    }

    /** The anchor's place of a pair. */
    int anchor(int pair) {
        return pairs.get(pair).anchor;
    }

    /** The place of the other document of a pair among the anchors; -1 if it is none. */
    int otherAnchor(int pair) {
        return placeOfAnchor.getOrDefault(pairs.get(pair).document.number(), -1);
    }

    /** The document of a pair that comes first in the file. */
    ComparedText first(int pair) {
        return isAnchorFirst(pair) ? anchors.get(anchor(pair)) : pairs.get(pair).document;
    }

    ComparedText second(int pair) {
        return isAnchorFirst(pair) ? pairs.get(pair).document : anchors.get(anchor(pair));
    }

    private boolean isAnchorFirst(int pair) {
        return numbers[anchor(pair)] < pairs.get(pair).document.number();
    }

    int anchors() {
        return anchors.size();
    }

    int documents() {
        return documents;
    }

    /** Pairs that the drawn ones stand for: those of which one is an anchor. */
    long pairs() {
        long count = anchors.size();
        return count * documents - count * (count + 1) / 2;
    }

    /** Of all pairs those of which one document is an anchor; 1 of none. */
    double share() {
        return pairs() == 0 ? 1 : pairs() / (double) allPairs();
    }

    /** Pairs of all documents. */
    long allPairs() {
        return documents * (documents - 1L) / 2;
    }
}
