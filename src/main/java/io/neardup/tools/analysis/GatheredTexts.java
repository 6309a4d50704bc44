package io.neardup.tools.analysis;

import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NormalizedBuffer;
import io.neardup.record.Document;
import io.neardup.tools.analysis.DocumentLines.Rejected;
import io.neardup.tools.feed.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a first reading of documents leaves: all of them if they are few enough to be held, else a random sample.
 *
 * @param texts in the order of the file
 * @param documents of the file, or as many as were asked for
 * @param isWhole whether the texts are all of them
 * @param lines read, without blank ones
 * @param rejected the lines that were no documents, by reason
 */
record GatheredTexts(List<ComparedText> texts, int documents, boolean isWhole, long lines, List<Rejected> rejected) {
    private static final int PROGRESS_DOCUMENTS = 1_000;
    /** So that these lots differ from others. */
    private static final int SALT = -2;

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
        for (Document document = lines.next(); document != null; number++) {
            consumer.accept(ComparedText.of(number, document, normalized));
            document = number + 1 < documentsMax ? lines.next() : null;
        }
        return number;
    }

    /** Reads all documents once, and holds them until they are too many; a sample is drawn all the while. */
    static GatheredTexts of(DocumentLines.Source source, LetterCase letterCase, Bounds bounds, Progress progress)
            throws IOException {
        Reservoir<ComparedText> sample = new Reservoir<>(bounds.sampleMax, bounds.bytesMax, ComparedText::heldBytes);
        List<ComparedText> all = new ArrayList<>();
        long[] bytes = new long[1];
        try (DocumentLines lines = source.open()) {
            int documents = read(lines, letterCase, bounds.documentsMax, text -> {
                sample.offer(Reservoir.lot(text.number(), SALT), () -> text);
                bytes[0] += text.heldBytes();
                all.add(text);
                if (bytes[0] > bounds.bytesMax) {
                    all.clear();
                }
                progress.count(text.number(), PROGRESS_DOCUMENTS, "%,d documents read");
            });
            progress.skippedTotals(lines.skippedTotals());
            boolean isWhole = all.size() == documents;
            return new GatheredTexts(
                    isWhole ? all : sample.drawn(), documents, isWhole, lines.lines(), lines.rejected());
        }
    }

    /** Characters, or bytes, that half of the texts have at the most. */
    int typicalCharacters() {
        int[] rising =
                texts.stream().mapToInt(text -> text.text().length()).sorted().toArray();
        return rising.length == 0 ? 0 : rising[(rising.length - 1) / 2];
    }
}
