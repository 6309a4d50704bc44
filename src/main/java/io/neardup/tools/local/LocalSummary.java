package io.neardup.tools.local;

import io.neardup.engine.similarity.Similarity;
import io.neardup.record.Story;
import io.neardup.tools.feed.Skipped;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * What a local run did.
 *
 * @param seeds records of seeds, bad ones included
 * @param seedsRefused those of them that are no documents
 * @param documents records read, bad ones included
 * @param bounded unique documents of which bounds truncated the candidates, counted by these bounds
 * @param reasons of the dead letters, each with its count
 * @param seconds from the first record to the last result
 * @param startSeconds until broker and service took documents
 * @param examples of duplicates, the most similar ones first
 * @param fields JSON pointers to the fields of the first document without a text, where all documents are such
 * @param stories that got a copy; none where the service writes no stories
 * @param largestStories the three largest of these, the largest first
 */
public record LocalSummary(
        long seeds,
        long seedsRefused,
        long documents,
        long unique,
        SortedMap<String, Long> bounded,
        long duplicates,
        long deadLetters,
        SortedMap<String, Long> reasons,
        double seconds,
        double startSeconds,
        Cost cost,
        List<Example> examples,
        List<String> fields,
        Skipped.Totals skipped,
        long stories,
        List<Story> largestStories) {

    /**
     * What sizes a machine.
     *
     * @param cpuSeconds of this process from the first record to the last result: feed, broker, service and compiler
     * @param indexedDocuments originals in the index at the end
     * @param indexBytes of memory for their buckets and sketches
     */
    public record Cost(double cpuSeconds, long indexedDocuments, long indexBytes) {}

    /**
     * A duplicate and the document it repeats, by their ids, which need not be distinct.
     *
     * @param originalText the beginning of it
     * @param duplicateText the beginning of it, unless only a verdict came out
     */
    public record Example(
            String originalId,
            String originalText,
            String duplicateId,
            Optional<String> duplicateText,
            Similarity similarity) {}

    public double documentsPerSecond() {
        return seconds > 0 ? documents / seconds : 0;
    }

    /** Of all that runs in this process; 0 where there was nothing to measure. */
    public double cpuMicrosPerDocument() {
        return documents > 0 ? 1e6 * cost.cpuSeconds / documents : 0;
    }

    /** Memory for buckets and sketches; 0 where nothing is unique. */
    public double memoryBytesPerOriginal() {
        return cost.indexedDocuments > 0 ? (double) cost.indexBytes / cost.indexedDocuments : 0;
    }
}
