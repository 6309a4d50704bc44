package io.neardup.tools.analysis;

import io.neardup.engine.text.Overlap;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingling;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Pairs of a file that is too large to be held. Askers, drawn at random, are held. All documents pass them once, and
 * each pair is screened: how similar it seems by a sample of its shingles. The pairs of each twentieth of that
 * similarity are sampled by lots; those that stay are measured, and stand for the others of their twentieth. The few
 * that seem alike all stay. So every pair counts as often as it should, however wrong the screen is (Horvitz and
 * Thompson 1952); a good screen only makes the counts of the alike exact.
 *
 * <p>Bounds: work and memory lower the number of askers, the bytes of text held that of the pairs kept of each
 * twentieth; never the pairs of one asker. Long texts are measured by a sample of their shingles.
 */
final class ScreenedPairs implements MeasuredPairs {
    /** Texts of any language and of no language have these. */
    private static final String SCREEN = "char:5";

    private static final int STRATA = 20;
    private static final int CAPACITY_MAX = 6_000;
    private static final int SCREENED_SHINGLES_MAX = 64;

    /** Shingles of the askers by one shingler; a document with a large part of them does not ask. */
    private static final long SHINGLES_MAX = 8_000_000;

    private static final int PART_MAX_INVERSE = 4;
    private static final int PROGRESS_DOCUMENTS = 10_000;

    /** Shingles shared and pairs screened, some nanoseconds each. */
    private static final double WORK_MAX = 6e10;

    private static final int COST_OF_PAIR = 5;

    private final List<ComparedText> askers;
    private final int documents;
    private final long bytesMax;
    private final AskerIndex index = new AskerIndex();
    private final SamplingRates rates;
    private final SampledShingles screen;
    private final AskerBound bound;
    private final PairReservoir[] strata = new PairReservoir[STRATA];
    private final Map<Integer, Integer> placeOfAsker = new HashMap<>();
    private int capacity = CAPACITY_MAX;

    /** When all have passed: the pairs to measure, those of one document together. */
    private final List<Kept> pairs = new ArrayList<>();

    private final Map<Integer, ComparedText> examples = new HashMap<>();

    /**
     * Nothing has passed yet.
     *
     * @param drawn in random order: of these the first that work and memory allow ask
     */
    private ScreenedPairs(List<ComparedText> drawn, GatheredTexts gathered, TuningTargets targets, long bytesMax) {
        this.documents = gathered.documents();
        this.bytesMax = bytesMax;
        List<ComparedText> pilots = SampledShingles.pilots(drawn);
        Shingler screening = targets.shingler(SCREEN);
        this.screen = new SampledShingles(screening, SampledShingles.zeros(screening, pilots, SCREENED_SHINGLES_MAX));
        this.rates = SamplingRates.of(targets.shinglers(), pilots);
        List<ComparedText> fitting = fitting(drawn, rates.perByteMax());
        this.askers = fitting.subList(0, affordable(fitting));
        boolean isShort = fitting.size() < drawn.size() && askers.size() == fitting.size();
        this.bound = isShort ? AskerBound.MEMORY : gathered.bound();
        Arrays.setAll(strata, stratum -> new PairReservoir(capacity));
        for (ComparedText asker : askers) {
            placeOfAsker.put(asker.number(), index.count());
            index.add(screen.of(asker));
        }
    }

    private static List<ComparedText> fitting(List<ComparedText> drawn, double shinglesPerByte) {
        List<ComparedText> fitting = new ArrayList<>();
        double left = SHINGLES_MAX;
        for (ComparedText text : drawn) {
            double shingles = text.length() * shinglesPerByte;
            if (fitting.isEmpty() || (shingles <= left && shingles <= SHINGLES_MAX / PART_MAX_INVERSE)) {
                fitting.add(text);
                left -= shingles;
            }
        }
        return fitting;
    }

    /** Reads all documents once more. */
    static ScreenedPairs of(
            GatheredTexts gathered,
            DocumentSource source,
            TuningTargets targets,
            long bytesMax,
            AnalysisProgress progress)
            throws IOException {
        List<ComparedText> drawn = new ArrayList<>(gathered.texts());
        drawn.sort(Comparator.comparingLong(text -> Lots.lot(text.number(), 0)));
        ScreenedPairs pairs = new ScreenedPairs(drawn, gathered, targets, bytesMax);
        try (DocumentLines lines = source.open();
                Batches batches = new Batches(pairs::pass)) {
            GatheredTexts.read(lines, targets.shingling().letterCase(), gathered.documents(), text -> {
                batches.add(text);
                if (text.number() % PROGRESS_DOCUMENTS == 0) {
                    progress.update(String.format(
                            Locale.ROOT,
                            "%,d of %,d documents compared with %,d",
                            text.number(),
                            pairs.documents,
                            pairs.askers()));
                }
            });
            batches.finish();
        }
        pairs.sort();
        return pairs;
    }

    private int affordable(List<ComparedText> drawn) {
        AskerIndex pilot = new AskerIndex();
        drawn.forEach(text -> pilot.add(screen.of(text)));
        double cost = 0;
        for (ComparedText text : drawn) {
            cost += (double) COST_OF_PAIR * drawn.size()
                    + IntStream.of(pilot.shared(screen.of(text)))
                            .limit(pilot.count())
                            .asLongStream()
                            .sum();
        }
        double work = cost / drawn.size() * documents;
        return work <= WORK_MAX ? drawn.size() : (int) Math.max(1, drawn.size() * WORK_MAX / work);
    }

    private void pass(List<ComparedText> batch) {
        batch.forEach(this::pass);
        keepFewer();
    }

    private void pass(ComparedText document) {
        ShingleSet shingles = screen.of(document);
        int[] shared = index.shared(shingles);
        // A pair of two askers is screened when the second of them passes.
        int asking = placeOfAsker.getOrDefault(document.number(), index.count());
        for (int asker = 0; asker < asking; asker++) {
            double jaccard = index.jaccard(asker, shared[asker], shingles.size());
            PairReservoir stratum = strata[Math.min((int) (jaccard * STRATA), STRATA - 1)];
            long lot = Lots.lot(asker, document.number());
            if (stratum.offer(lot)) {
                stratum.keep(new PairReservoir.Drawn(lot, asker, document));
            }
        }
    }

    private void keepFewer() {
        while (capacity > 1 && isTooMuch()) {
            capacity /= 2;
            Arrays.stream(strata).forEach(stratum -> stratum.lower(capacity));
        }
    }

    private boolean isTooMuch() {
        return Arrays.stream(strata).mapToLong(PairReservoir::bytes).sum() > bytesMax && heldBytes() > bytesMax;
    }

    /** Of the documents of the pairs, each counted once. */
    private long heldBytes() {
        Set<Integer> numbers = new HashSet<>();
        return Arrays.stream(strata)
                .flatMap(stratum -> stratum.pairs().stream())
                .map(PairReservoir.Drawn::document)
                .filter(document -> numbers.add(document.number()))
                .mapToLong(ComparedText::heldBytes)
                .sum();
    }

    /** Brings together the pairs of a document, so that its shingles are cut once. */
    private void sort() {
        for (PairReservoir stratum : strata) {
            for (PairReservoir.Drawn drawn : stratum.pairs()) {
                pairs.add(new Kept(drawn.asker(), drawn.document(), stratum.weight()));
                examples.put(drawn.document().number(), drawn.document());
            }
        }
        askers.forEach(asker -> examples.put(asker.number(), asker));
        pairs.sort(Comparator.comparingInt(pair -> pair.document.number()));
    }

    private record Kept(int asker, ComparedText document, double weight) {}

    /** Pairs that are measured. */
    int kept() {
        return pairs.size();
    }

    @Override
    public int askers() {
        return askers.size();
    }

    @Override
    public AskerBound bound() {
        return bound;
    }

    @Override
    public boolean isSampling() {
        return rates.isSampling();
    }

    @Override
    public long pairs() {
        long count = askers.size();
        return count * documents - count * (count + 1) / 2;
    }

    @Override
    public MeasuredShingle measure(Shingling shingling) {
        SampledShingles cut = rates.cutting(shingling.shingler(0));
        List<ShingleSet> sets = askers.stream().map(cut::of).toList();
        PairTally tally =
                new PairTally(documents, askers.size(), askers.size() * (documents - 1.0) / Math.max(1, pairs()));
        int number = -1;
        @Nullable ShingleSet set = null;
        for (Kept pair : pairs) {
            if (set == null || pair.document.number() != number) {
                number = pair.document.number();
                set = cut.of(pair.document);
            }
            Overlap overlap = sets.get(pair.asker).overlap(set);
            int asker = askers.get(pair.asker).number();
            int asking = placeOfAsker.getOrDefault(number, -1);
            int together = cut.all(overlap.first() + overlap.second() - overlap.shared());
            tally.add(new PairExample(asker, number, overlap.jaccard()), together, pair.asker, asking, pair.weight);
        }
        int[] sizes =
                sets.stream().mapToInt(asked -> cut.all(asked.size())).sorted().toArray();
        return new MeasuredShingle(shingling, sizes.length == 0 ? 0 : sizes[(sizes.length - 1) / 2], tally);
    }

    @Override
    public ComparedText document(int number) {
        return Objects.requireNonNull(examples.get(number));
    }
}
