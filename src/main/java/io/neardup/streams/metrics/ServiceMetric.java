package io.neardup.streams.metrics;

import java.util.List;

/**
 * Every figure of ours that an instance exports. Names follow the conventions of Prometheus. A label has few values
 * that are known beforehand: partitions, topics of the settings, codes; never ids or hosts. Of sources those that have
 * the most documents have values, {@value Sources#EXPORTED_MAX} at a time, and of those that vanish as many.
 */
public enum ServiceMetric {
    DOCUMENTS(
            "neardup_documents_total", "records that have left, tombstones among those on unique", "outcome", "reason"),
    DECISION_SECONDS(
            "neardup_decision_duration_seconds",
            "from when a document was taken from the input until it left; readers see it a commit later"),
    SIMILARITY("neardup_duplicate_similarity", "similarity of duplicates to their originals"),
    RECALL(
            "neardup_recall",
            "share of the duplicates that is found, estimated from those that are; with low and high an interval of"
                    + " 95 %",
            "figure"),
    CANDIDATE_SIMILARITY(
            "neardup_candidate_similarity",
            "similarity of documents that share a bucket, estimated from their sketches, mostly within 0.1; also below"
                    + " the threshold"),
    PENDING("neardup_pending_documents", "records in flight of an input partition", "partition"),
    PENDING_OLDEST_SECONDS(
            "neardup_pending_oldest_seconds",
            "how long the oldest of them has been in flight; 0 where there is none",
            "partition"),
    ASKED_AGAIN("neardup_asked_again_total", "pending documents that asked again, as no answer had come for 10 s"),
    VERIFICATIONS_DROPPED(
            "neardup_verifications_dropped_total",
            "verification requests that a coordinator dropped, as 64 MB of them waited"),
    INPUT_LAG(
            "neardup_input_lag_records",
            "records of an input partition behind what the group has committed; every instance has it: take the"
                    + " maximum; a successor has it from its cutover on",
            "topic",
            "partition"),
    INPUT_PAUSES("neardup_input_pauses_total", "pauses of the input because too much was in flight"),
    CANDIDATES("neardup_candidates", "candidates that a document asked about"),
    VERIFICATIONS("neardup_verifications", "candidates that a document was compared with by all of their text"),
    CANDIDATES_UNLIKE("neardup_candidates_unlike_total", "candidates dropped by their sketches or shingle bitmaps"),
    CANDIDATES_DROPPED(
            "neardup_candidates_dropped_total", "candidates truncated because a document had too many", "by"),
    DOCUMENTS_BOUNDED(
            "neardup_documents_bounded_total", "unique documents whose candidates a bound truncated", "bound"),
    BUCKETS_FULL("neardup_buckets_full_total", "insertions that a full bucket refused"),
    DOCUMENTS_WITHDRAWN("neardup_documents_withdrawn_total", "unique documents that left as dead letters in the end"),
    SHINGLES("neardup_shingles_total", "shingles of documents, repeats included"),
    SHINGLES_BOILERPLATE("neardup_shingles_boilerplate_total", "of these those of boilerplate, which do not count"),
    ORIGINALS_EXPIRED("neardup_originals_expired_total", "originals whose retention was over"),
    ORIGINALS_REMOVED(
            "neardup_originals_removed_total",
            "originals that expired, or were removed by a tombstone, replaced or withdrawn"),
    INDEX_DOCUMENTS(
            "neardup_index_documents",
            "originals and pending documents in the buckets of an index partition",
            "partition"),
    INDEX_BYTES(
            "neardup_index_bytes",
            "memory that the buckets of an index partition take, on the heap and outside",
            "partition"),
    INDEX_HOT_BYTES(
            "neardup_index_hot_bytes", "mapped columns of buckets on disk, which each lookup reads", "partition"),
    INDEX_COLD_BYTES(
            "neardup_index_cold_bytes", "other columns of buckets on disk, read where something is found", "partition"),
    INDEX_SEGMENTS("neardup_index_segments", "segments of buckets on disk", "partition"),
    SKETCH_BYTES(
            "neardup_sketch_bytes",
            "heap that sketches and shingle bitmaps of originals and pending documents take",
            "partition"),
    SOURCE_DOCUMENTS(
            "neardup_source_documents_total",
            "documents of the " + Sources.EXPORTED_MAX + " sources that have the most: unique, or copies of the source"
                    + " itself or its publisher, of others, of an unknown one; counted since it is among "
                    + Sources.MAX,
            "source",
            "outcome"),
    SOURCE_AFTER_SECONDS(
            "neardup_source_after_seconds",
            "how long after their originals the copies of such a source came, by the timestamps of the records; median",
            "source"),
    SOURCE_VANISHING(
            "neardup_source_vanishing",
            "1 for a source that was found to vanish within the last day, 0 for the others",
            "source"),
    STORIES(
            "neardup_stories_total",
            "stories by what became of them: begun, written, each revision counting, and ended with their originals",
            "outcome"),
    STORY_EVENTS("neardup_story_events_total", "copies and ends of originals that were folded into stories"),
    STORY_LAG(
            "neardup_story_lag_records",
            "records of story events that are not folded yet, one a commit and partition; every instance has it: take"
                    + " the maximum"),
    CHECKS("neardup_checks_total", "questions to /api/check, by how they ended", "outcome"),
    ALERTS(
            "neardup_alerts",
            "what this instance says that somebody should look at, but what has a metric of its own or stays on"
                    + " purpose"),
    READY("neardup_ready", "1 where documents of all tasks of this instance are being decided, else 0"),
    TASKS("neardup_tasks", "tasks of this instance"),
    RESTORE_RECORDS("neardup_restore_records_left", "records of changelogs that are still to be restored"),
    CONNECTIONS("neardup_broker_connections", "connections of the consumers to brokers");

    private final String title;
    private final String meaning;

    @SuppressWarnings("ImmutableEnumChecker") // As List.of made it.
    private final List<String> labels;

    ServiceMetric(String title, String meaning, String... labels) {
        this.title = title;
        this.meaning = meaning;
        this.labels = List.of(labels);
    }

    public enum Kind {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    /** Its name; that of a counter alone ends with {@code _total}. */
    public String title() {
        return title;
    }

    public Kind kind() {
        if (bounds().length > 0) {
            return Kind.HISTOGRAM;
        }
        return title.endsWith("_total") ? Kind.COUNTER : Kind.GAUGE;
    }

    /** Of a histogram the highest value of each bucket but the last, ascending; empty for any other metric. */
    double[] bounds() {
        return switch (this) {
            case DECISION_SECONDS -> new double[] {.05, .1, .2, .3, .5, .75, 1, 1.5, 2, 3, 5, 10, 20, 30, 60, 120, 300};
            case SIMILARITY, CANDIDATE_SIMILARITY ->
                new double[] {
                    .05, .1, .15, .2, .25, .3, .35, .4, .45, .5, .55, .6, .65, .7, .75, .8, .85, .9, .95, .99, 1
                };
            case CANDIDATES, VERIFICATIONS -> new double[] {0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000};
            default -> new double[0];
        };
    }

    /** What it is, in half a sentence. */
    public String meaning() {
        return meaning;
    }

    public List<String> labels() {
        return labels;
    }
}
