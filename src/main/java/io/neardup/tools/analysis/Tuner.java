package io.neardup.tools.analysis;

import io.neardup.engine.text.NormalizedBuffer;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingling;
import io.neardup.record.Document;
import io.neardup.tools.analysis.DocumentLines.Rejected;
import io.neardup.tools.analysis.PairSample.Limits;
import io.neardup.tools.analysis.Tuning.Boilerplate;
import io.neardup.tools.feed.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Measures pairs of documents by several shingles, and proposes settings. Two runs agree. */
public final class Tuner {
    /** Bytes of texts that are held at once; of a larger file as many of anchors, and of pairs that are measured. */
    private static final long HELD_BYTES_MAX = 1L << 27;
    /** Bytes of the anchors' texts, of long ones the part that is measured: a shingle takes 8 bytes of each thread. */
    private static final long ANCHOR_BYTES_MAX = 8_000_000;
    /** Pairs of a stratum: as many as anchors, so that each of them has neighbours there. */
    private static final int PAIRS_MAX = 10_000;
    /** Anchors of a file that is not held. */
    private static final int ANCHORS_MAX = 2_000;
    /**
     * Of a file that is not held each pair brings a text that is cut by each shingle. Two of each anchor: of one alone,
     * halves of the documents would seem to have no neighbours.
     */
    private static final int READ_ALIKE_MAX = 2 * ANCHORS_MAX;

    private static final int READ_UNLIKE_MAX = 1_000;
    /** To compare a byte of a pair by all shingles takes some 20 ns. */
    private static final long COMPARED_BYTES_MAX = 1_000_000_000L;

    private static final Limits HELD = new Limits(10_000, ANCHOR_BYTES_MAX, PAIRS_MAX, true, COMPARED_BYTES_MAX);

    private static final int PROGRESS_READ = 1_000;
    private static final int PROGRESS_COMPARED = 10_000;
    /** So that these ranks differ from others. */
    private static final int SALT = -2;

    /** Documents in which boilerplate is counted: few enough to be compared with each other, and bytes of theirs. */
    private static final int BOILERPLATE_DOCUMENTS_MAX = 1_000;

    private static final long BOILERPLATE_BYTES_MAX = 1 << 23;

    private final DocumentLines.Source source;
    private final TuningTargets targets;
    private final Bounds bounds;
    private final Progress progress;

    /** @param documentsMax of these only the first are taken */
    public Tuner(DocumentLines.Source source, TuningTargets targets, int documentsMax, Progress progress) {
        this(source, targets, new Bounds(documentsMax, HELD_BYTES_MAX, ANCHORS_MAX), progress);
    }

    Tuner(DocumentLines.Source source, TuningTargets targets, Bounds bounds, Progress progress) {
        this.source = source;
        this.targets = targets;
        this.bounds = bounds;
        this.progress = progress;
    }

    /**
     * Reads, measures and proposes.
     *
     * @throws IllegalArgumentException if no banding within the hashes reaches the recall
     */
    public Tuning tune() throws IOException {
        GatheredTexts gathered = gathered();
        PairSample pairs = pairs(gathered);
        TuningDecision decision = new TuningDecision(measured(pairs), gathered, targets);
        return decision.tuning(pairs, decision.mayBeBoilerplate() ? boilerplate(gathered, pairs, decision) : null);
    }

    /**
     * What a first reading of documents leaves: all of them if they are few enough to be held, else a random sample.
     *
     * @param texts in the order of the file
     * @param documents of the file, or as many as were asked for
     * @param isWhole whether the texts are all of them
     * @param lines read, without blank ones
     * @param rejected the lines that were no documents, by reason
     */
    record GatheredTexts(
            List<ComparedText> texts, int documents, boolean isWhole, long lines, List<Rejected> rejected) {
        /** Characters that half of the texts have at the most. */
        int typicalCharacters() {
            int[] rising = texts.stream()
                    .mapToInt(text -> text.text().length())
                    .sorted()
                    .toArray();
            return rising.length == 0 ? 0 : rising[(rising.length - 1) / 2];
        }
    }

    /**
     * How much of a file is held.
     *
     * @param documentsMax of these the first are read
     * @param bytesMax that texts take on the heap
     * @param sampleMax texts of a file that is not held, within the same bytes
     */
    record Bounds(int documentsMax, long bytesMax, int sampleMax) {}

    /** Reads all documents once, and holds them until they are too many; a sample is drawn all the while. */
    private GatheredTexts gathered() throws IOException {
        Reservoir<ComparedText> sample = new Reservoir<>(bounds.sampleMax, bounds.bytesMax, ComparedText::heldBytes);
        List<ComparedText> all = new ArrayList<>();
        long[] bytes = new long[1];
        try (DocumentLines lines = source.open()) {
            int documents = read(lines, bounds.documentsMax, text -> {
                sample.offer(Reservoir.randomRank(text.number(), SALT), () -> text);
                bytes[0] += text.heldBytes();
                all.add(text);
                if (bytes[0] > bounds.bytesMax) {
                    all.clear();
                }
                progress.count(text.number(), PROGRESS_READ, "%,d documents read");
            });
            progress.skippedTotals(lines.skippedTotals());
            boolean isWhole = all.size() == documents;
            return new GatheredTexts(
                    isWhole ? all : sample.drawn(), documents, isWhole, lines.lines(), lines.rejected());
        }
    }

    /** Reads documents one after the other. Of those with a number below the bound; returns how many. */
    private int read(DocumentLines lines, int documentsMax, Consumer<ComparedText> consumer) throws IOException {
        NormalizedBuffer normalized = new NormalizedBuffer(targets.shingling().letterCase());
        int number = 0;
        for (Document document = lines.next(); document != null; number++) {
            consumer.accept(ComparedText.of(number, document, normalized));
            document = number + 1 < documentsMax ? lines.next() : null;
        }
        return number;
    }

    private PairSample pairs(GatheredTexts gathered) throws IOException {
        Shingler screen = targets.shingling(PairSample.SCREEN).whole().shingler(0);
        if (gathered.isWhole()) {
            return PairSample.of(gathered.texts(), screen, HELD);
        }
        Limits limits = new Limits(
                bounds.sampleMax(),
                ANCHOR_BYTES_MAX,
                READ_ALIKE_MAX,
                true,
                READ_UNLIKE_MAX,
                COMPARED_BYTES_MAX,
                bounds.bytesMax());
        return PairSample.of(
                gathered.texts(), gathered.documents(), passing -> readAgain(gathered, passing), screen, limits);
    }

    private void readAgain(GatheredTexts gathered, Consumer<ComparedText> passing) throws IOException {
        int documents = gathered.documents();
        try (DocumentLines lines = source.open()) {
            read(lines, documents, text -> {
                passing.accept(text);
                progress.count(text.number(), PROGRESS_COMPARED, "%,d of %,d documents compared", documents);
            });
        }
    }

    /** By all shingles, two at a time, however many processors there are: each holds what it measures. */
    private List<MeasuredShingle> measured(PairSample pairs) {
        List<Shingling> tried =
                targets.shingles().stream().map(targets::shingling).toList();
        AtomicInteger done = new AtomicInteger();
        ForkJoinPool threads = new ForkJoinPool(2);
        try {
            return threads.submit(() -> tried.parallelStream()
                            .map(shingling -> measured(pairs, shingling, done, tried.size()))
                            .toList())
                    .join();
        } finally {
            threads.shutdownNow();
        }
    }

    private MeasuredShingle measured(PairSample pairs, Shingling shingling, AtomicInteger done, int all) {
        MeasuredShingle measured = new MeasuredShingle(shingling, pairs);
        synchronized (this) {
            progress.update(String.format(
                    Locale.ROOT,
                    "%,d pairs compared by %d of %d shingles",
                    pairs.pairs(),
                    done.incrementAndGet(),
                    all));
        }
        return measured;
    }

    /** How many of the pairs that would be found stay there without boilerplate; null where most do. */
    private @Nullable Boilerplate boilerplate(GatheredTexts gathered, PairSample pairs, TuningDecision decision) {
        progress.update("counting shingles that many documents hold");
        Reservoir<ComparedText> drawn =
                new Reservoir<>(BOILERPLATE_DOCUMENTS_MAX, BOILERPLATE_BYTES_MAX, ComparedText::length);
        gathered.texts().forEach(text -> drawn.offer(Reservoir.randomRank(text.number(), text.number()), () -> text));
        MeasuredShingle best = decision.best();
        double threshold = decision.bestThreshold();
        double all = best.counts().pairsFrom(threshold);
        return BoilerplateCount.of(drawn.drawn(), List.of(), best.shingling(), BoilerplateCount.DEFAULT_SHARE)
                .boilerplate()
                .map(common -> new MeasuredShingle(best.shingling().without(common), pairs).counts())
                .map(left -> new Boilerplate(best.shingle(), threshold, all, left.pairsFrom(threshold)))
                .filter(found -> found.isMost(best.share()))
                .orElse(null);
    }
}
