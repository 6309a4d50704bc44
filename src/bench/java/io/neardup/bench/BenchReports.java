package io.neardup.bench;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.SortedMap;

/** What benchmarks come to. As JSON, the figures of the service stand at the top. */
public final class BenchReports {
    private BenchReports() {}

    /** One of them. */
    public sealed interface Report permits Comparison, Growth, Spread {}

    /**
     * The service against a passthrough with the same Streams settings.
     *
     * @param ratio documents per second of the service to those of the passthrough
     * @param cpuRatio CPU per document of the passthrough and its broker to that of the service and its broker
     * @param service the median of its rounds
     * @param passthrough the median of its rounds
     */
    public record Comparison(
            @JsonUnwrapped Corpus corpus,
            int partitions,
            double ratio,
            double cpuRatio,
            @JsonUnwrapped Speed service,
            Speed passthrough,
            @JsonUnwrapped Counts counts,
            @JsonUnwrapped Footprint footprint,
            @JsonUnwrapped Garbage garbage,
            List<Latency> latency,
            List<Round> rounds)
            implements Report {}

    /**
     * What was fed.
     *
     * @param documents of a drain
     * @param documentSource what they are, for people: a phrase without a full stop
     * @param duplicateShare of those that were made
     * @param templateShare of those that were made and are no duplicates
     */
    public record Corpus(
            int documents, String documentSource, int documentBytes, double duplicateShare, double templateShare) {}

    /**
     * How fast a drain was.
     *
     * @param documentsPerSecond in its steady part
     * @param cpuMicrosPerDocument of the subject's process alone, over the whole drain
     * @param brokerCpuMicrosPerDocument of the broker's process at the same time
     */
    public record Speed(double documentsPerSecond, double cpuMicrosPerDocument, double brokerCpuMicrosPerDocument) {
        public double cpuMicrosOfBoth() {
            return cpuMicrosPerDocument + brokerCpuMicrosPerDocument;
        }
    }

    /** What the service made of the documents. */
    public record Counts(long unique, long duplicates, long deadLetters) {}

    /**
     * What the service keeps for a unique document.
     *
     * @param memoryBytesPerOriginal that buckets and sketches take
     * @param heapBytesPerOriginal by which the live heap grew: most of the buckets is outside of it
     * @param diskBytesPerOriginal of local state after the service has stopped
     * @param changelogBytesPerOriginal on the broker, as written: nothing is compacted
     * @param changelogBytesPerOriginalByStore the same, store by store
     */
    public record Footprint(
            double memoryBytesPerOriginal,
            double heapBytesPerOriginal,
            double diskBytesPerOriginal,
            double changelogBytesPerOriginal,
            SortedMap<String, Double> changelogBytesPerOriginalByStore) {}

    /**
     * What the service gives its garbage collector to do, in the steady part of all rounds.
     *
     * @param gcPauseP99Millis 0 if there was no pause
     */
    public record Garbage(double allocatedBytesPerDocument, double gcPauseP99Millis, int gcPauses) {}

    /** One drain. */
    public record Round(
            int round, String system, @JsonUnwrapped Speed speed) {}

    /**
     * Time from the moment at which a document is due to that at which a reader of committed records has it.
     *
     * @param load share of the measured rate
     * @param documents that were measured, of the partition that is read
     * @param missing documents that had not come when the reader gave up, 30 s after the last was due; they count as
     *     that late
     */
    public record Latency(
            double load, double documentsPerSecond, long documents, long missing, double p50Millis, double p99Millis) {}

    /**
     * The service as its index grows.
     *
     * @param ratio rate at the last size to that at the first
     * @param restart at the last size
     * @param restartOfEmpty with an index that was empty before that portion
     */
    public record Growth(
            @JsonUnwrapped Corpus corpus,
            int partitions,
            double ratio,
            List<Size> sizes,
            Restart restart,
            Restart restartOfEmpty)
            implements Report {}

    /**
     * Seconds from the start of a process. The start of a JVM with a large heap takes some of them.
     *
     * @param cleanSeconds until all of its tasks run, after one that was stopped
     * @param killedSeconds the same after one that was killed at work: its transactions and its place in the group have
     *     to time out first
     * @param firstOutputSeconds then, until the first document is out; at least until all tasks run, as nobody looks
     *     before
     * @param caughtUpSeconds then, until all documents are out: three quarters of those of a round
     * @param lostSeconds until all tasks run, after one whose state folder is lost
     */
    public record Restart(
            double cleanSeconds,
            double killedSeconds,
            double firstOutputSeconds,
            double caughtUpSeconds,
            double lostSeconds) {}

    /**
     * The service at an index size.
     *
     * @param originals in the index at the end of the drain
     * @param indexBytes memory that the buckets take
     * @param heapBytes live heap
     */
    public record Size(long originals, @JsonUnwrapped Speed speed, long indexBytes, long heapBytes) {}

    /**
     * The service with more and fewer partitions.
     *
     * @param cpuGrowth CPU per document, broker included, with the most of both to that with the fewest
     */
    public record Spread(@JsonUnwrapped Corpus corpus, double cpuGrowth, List<Layout> layouts) implements Report {}

    /** One layout of partitions. */
    public record Layout(
            int partitions,
            int indexPartitions,
            @JsonUnwrapped Speed speed) {}
}
