package io.neardup.analysis;

import io.neardup.document.Document;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * Documents of a file, in its order, and what was left out.
 *
 * @param documents each with its text; the arrays are shared, so nobody may change them
 * @param lines read, without blank ones; one more document may be read to see whether there is one
 * @param rejected the lines that were no documents, by reason
 * @param isWhole whether the documents are all that the file holds
 */
public record DocumentSample(List<Document> documents, long lines, List<Rejected> rejected, boolean isWhole) {
    private static final int PROGRESS_LINES = 1_000;

    public DocumentSample {
        documents = List.copyOf(documents);
        rejected = List.copyOf(rejected);
    }

    /**
     * The first documents. What lies behind them is not read.
     *
     * @param max documents at most, at least 1
     */
    public static DocumentSample first(int max, DocumentLines from, AnalysisProgress progress) throws IOException {
        List<Document> documents = new ArrayList<>();
        Document document = from.next();
        while (document != null && documents.size() < max) {
            documents.add(document);
            tell(progress, from);
            document = from.next();
        }
        return new DocumentSample(documents, from.lines(), from.rejected(), document == null);
    }

    /**
     * Documents drawn at random from the whole file, each with the same chance (Vitter 1985, algorithm R). The same
     * seed draws the same ones.
     *
     * @param max documents at most, at least 1
     */
    public static DocumentSample drawn(int max, long seed, DocumentLines from, AnalysisProgress progress)
            throws IOException {
        return drawn(max, seed, from, document -> {}, progress);
    }

    /**
     * As {@link #drawn(int, long, DocumentLines, AnalysisProgress)}, and shows all documents.
     *
     * @param all is shown each document, drawn or not, in the order of the file
     */
    static DocumentSample drawn(
            int max, long seed, DocumentLines from, Consumer<Document> all, AnalysisProgress progress)
            throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        List<Drawn> drawn = new ArrayList<>();
        long seen = 0;
        for (Document document = from.next(); document != null; document = from.next()) {
            seen++;
            all.accept(document);
            if (drawn.size() < max) {
                drawn.add(new Drawn(seen, document));
            } else {
                long place = random.nextLong(seen);
                if (place < max) {
                    drawn.set((int) place, new Drawn(seen, document));
                }
            }
            tell(progress, from);
        }
        List<Document> documents = drawn.stream()
                .sorted(Comparator.comparingLong(Drawn::number))
                .map(Drawn::document)
                .toList();
        return new DocumentSample(documents, from.lines(), from.rejected(), seen <= max);
    }

    /** Documents among the lines that were read. */
    public long found() {
        return lines - rejected.stream().mapToLong(Rejected::count).sum();
    }

    private static void tell(AnalysisProgress progress, DocumentLines from) {
        if (from.lines() % PROGRESS_LINES == 0) {
            progress.update(String.format(Locale.ROOT, "%,d lines read", from.lines()));
        }
    }

    private record Drawn(long number, Document document) {}
}
