package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.neardup.config.NeardupConfig;
import io.neardup.engine.text.NormalizedBuffer;
import io.neardup.engine.text.Shingling;
import io.neardup.record.Document;
import io.neardup.tools.analysis.DocumentLines.Rejected;
import io.neardup.tools.feed.Progress;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is common in a sample of a file.
 *
 * @param documents of the file, of which {@link BoilerplateCount#documents} were drawn and counted
 * @param sources that were drawn from
 * @param notDrawn documents of sources that were not drawn from, as there are too many
 */
public record BoilerplateSample(
        @JsonUnwrapped BoilerplateCount count,
        @JsonProperty("documentsInFile") long documents,
        int sources,
        @JsonProperty("skipped") long notDrawn,
        List<Rejected> rejected) {
    /** Documents that are drawn from all at most: 5 % of them are a hundred. */
    private static final int DOCUMENTS_MAX = 2_000;

    /** Of the texts of all sources. When they are reached, no further ones are drawn. */
    private static final long SOURCES_BYTES_MAX = 300_000_000;

    private static final int PROGRESS_LINES = 1_000;

    /**
     * Reads a whole file, and counts in documents drawn from it at random.
     *
     * @param config how documents are read and cut; its scope is the source of a document
     */
    public static BoilerplateSample of(DocumentLines lines, NeardupConfig config, double share, Progress progress)
            throws IOException {
        Drawing drawing = new Drawing(config.shingling(), SOURCES_BYTES_MAX);
        for (Document document = lines.next(); document != null; document = lines.next()) {
            drawing.pass(document);
            progress.count(lines.lines(), PROGRESS_LINES, "%,d lines read");
        }
        progress.skippedTotals(lines.skippedTotals());
        progress.update("counting shingles");
        return new BoilerplateSample(
                BoilerplateCount.of(drawing.drawn.drawn(), drawing.textsOfSources(), config.shingling(), share),
                drawing.drawn.seen(),
                drawing.textsOfSources().size(),
                drawing.notDrawn,
                lines.rejected());
    }

    /**
     * Draws texts from all documents, and from each source by itself. The source of a document is its scope; those
     * without one have none. Two runs over the same documents draw the same. Not thread-safe.
     */
    static final class Drawing {
        static final int SOURCE_TEXTS_MAX = 100;

        /** The first that come. */
        static final int SOURCES_MAX = 1_000;

        /** Of all, or of a source: the counts of their shingles take up to ten times as many. */
        private static final long BYTES_MAX = 1 << 25;

        private final NormalizedBuffer buffer;
        private final long sourcesBytesMax;
        private final Reservoir<ComparedText> drawn =
                new Reservoir<>(DOCUMENTS_MAX, BYTES_MAX, ComparedText::heldBytes);
        private final Map<String, Reservoir<ComparedText>> sources = new LinkedHashMap<>();
        private long sourcesBytes;
        /** Documents of sources that could not be drawn from, as there were too many or too much text. */
        long notDrawn;

        Drawing(Shingling shingling, long sourcesBytesMax) {
            this.buffer = shingling.normalizedBuffer();
            this.sourcesBytesMax = sourcesBytesMax;
        }

        void pass(Document document) {
            drawn.offer(Reservoir.randomRank((int) drawn.seen(), 0), () -> normalized(document));
            if (!document.scope().isEmpty()) {
                passSource(document);
            }
        }

        private void passSource(Document document) {
            boolean hasRoom = sources.size() < SOURCES_MAX || sources.containsKey(document.scope());
            if (sourcesBytes >= sourcesBytesMax || !hasRoom) {
                notDrawn++;
                return;
            }
            Reservoir<ComparedText> source = sources.computeIfAbsent(
                    document.scope(), scope -> new Reservoir<>(SOURCE_TEXTS_MAX, BYTES_MAX, ComparedText::heldBytes));
            sourcesBytes -= source.size();
            source.offer(Reservoir.randomRank((int) source.seen(), 0), () -> normalized(document));
            sourcesBytes += source.size();
        }

        private ComparedText normalized(Document document) {
            return ComparedText.of(0, document, buffer);
        }

        Collection<List<ComparedText>> textsOfSources() {
            return sources.values().stream().map(Reservoir::drawn).toList();
        }
    }
}
