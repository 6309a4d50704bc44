package io.neardup.tools.analysis;

import io.neardup.record.Document;
import io.neardup.tools.analysis.DocumentLines.Rejected;
import io.neardup.tools.feed.Progress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Documents of a file, in its order, and what was left out.
 *
 * @param documents each with its text; the arrays are shared, so nobody may change them
 * @param lines read, without blank ones; one more document may be read to see whether there is one
 * @param rejected the lines that were no documents, by reason
 * @param isWhole whether the documents are all that the file holds
 * @param isFull whether no more were taken as they would take too many bytes
 */
public record DocumentSample(
        List<Document> documents, long lines, List<Rejected> rejected, boolean isWhole, boolean isFull) {
    private static final int PROGRESS_LINES = 1_000;
    /** A document without what is in its arrays. */
    private static final long OBJECTS_BYTES = 150;

    /**
     * The first documents. What follows them is not read.
     *
     * @param max documents at most, at least 1
     * @param bytesMax that they take on the heap; the document that exceeds it is the last
     */
    public static DocumentSample first(int max, long bytesMax, DocumentLines from, Progress progress)
            throws IOException {
        List<Document> documents = new ArrayList<>();
        long bytes = 0;
        Document document = from.next();
        while (document != null && documents.size() < max && bytes <= bytesMax) {
            documents.add(document);
            bytes += heldBytes(document);
            progress.count(from.lines(), PROGRESS_LINES, "%,d lines read");
            document = from.next();
        }
        boolean isWhole = document == null;
        progress.skippedTotals(from.skippedTotals());
        return new DocumentSample(
                List.copyOf(documents), from.lines(), from.rejected(), isWhole, !isWhole && bytes > bytesMax);
    }

    /** A text keeps the record that it is a part of. */
    private static long heldBytes(Document document) {
        return OBJECTS_BYTES
                + document.text().array().length
                + 2L * document.id().length();
    }
}
