package io.neardup.tools.analysis;

import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NormalizedBuffer;
import io.neardup.record.Document;
import io.neardup.tools.analysis.DocumentLines.Rejected;
import io.neardup.tools.feed.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * What a first reading of documents leaves: all of them if they are few enough to be held, else a random sample.
 *
 * @param texts in the order of the file
 * @param documents of the file, or as many as were asked for
 * @param isWhole whether the texts are all of them
 * @param isAllEqual whether no text differs from the first
 * @param lines read, without blank ones
 * @param rejected the lines that were no documents, by reason
 */
record GatheredTexts(
        List<ComparedText> texts,
        int documents,
        boolean isWhole,
        boolean isAllEqual,
        long lines,
        List<Rejected> rejected) {
    private static final int PROGRESS_DOCUMENTS = 1_000;

    /**
     * How much of a file is held.
     *
     * @param documentsMax of these the first are read
     * @param bytesMax that texts take on the heap
     * @param sampleMax texts of a file that is not held, within the same bytes
     */
    record Bounds(int documentsMax, long bytesMax, int sampleMax) {}

    /** Reads documents one after the other. Of those with a number below the bound; returns how many. */
    static int read(DocumentLines lines, LetterCase letterCase, int documentsMax, Consumer<ComparedText> consumer)
            throws IOException {
        NormalizedBuffer normalized = new NormalizedBuffer(letterCase);
        int number = 0;
        Document document = documentsMax > 0 ? lines.next() : null;
        while (document != null) {
            consumer.accept(ComparedText.of(number, document, normalized));
            number++;
            document = number < documentsMax ? lines.next() : null;
        }
        return number;
    }

    /** Reads all documents once. */
    static GatheredTexts of(
            DocumentLines.Source source, LetterCase letterCase, Bounds bounds, long seed, Progress progress)
            throws IOException {
        Gathering gathering = new Gathering(bounds, new SplittableRandom(seed));
        try (DocumentLines lines = source.open()) {
            int documents = read(lines, letterCase, bounds.documentsMax, text -> {
                gathering.add(text);
                progress.count(text.number(), PROGRESS_DOCUMENTS, "%,d documents read");
            });
            progress.skippedTotals(lines.skippedTotals());
            return new GatheredTexts(
                    gathering.isWhole ? gathering.all : gathering.sample.drawn(),
                    documents,
                    gathering.isWhole,
                    gathering.isAllEqual,
                    lines.lines(),
                    lines.rejected());
        }
    }

    /** Characters, or bytes, that half of the texts have at the most. */
    int typicalCharacters() {
        int[] rising =
                texts.stream().mapToInt(text -> text.text().length()).sorted().toArray();
        return rising.length == 0 ? 0 : rising[(rising.length - 1) / 2];
    }

    /** Holds all texts until they are too many; a random sample is drawn all the while. */
    private static final class Gathering {
        private final Bounds bounds;
        private final SplittableRandom random;
        private final Reservoir<ComparedText> sample;
        private List<ComparedText> all = new ArrayList<>();
        private long bytes;
        private boolean isWhole = true;
        private boolean isAllEqual = true;

        Gathering(Bounds bounds, SplittableRandom random) {
            this.bounds = bounds;
            this.random = random;
            this.sample = new Reservoir<>(bounds.sampleMax, bounds.bytesMax, ComparedText::heldBytes);
        }

        void add(ComparedText text) {
            sample.offer(Reservoir.nextLot(random), () -> text);
            bytes += text.heldBytes();
            isAllEqual = isAllEqual && (all.isEmpty() || text.isEqualTo(all.get(0)));
            if (isWhole) {
                all.add(text);
            }
            if (isWhole && bytes > bounds.bytesMax) {
                isWhole = false;
                all = List.of(all.get(0));
            }
        }
    }
}
