package io.neardup.streams.metrics;

import java.util.List;

/**
 * Every figure of ours that an instance exports. Names follow the conventions of Prometheus. A label has few values
 * that are known beforehand: partitions, topics of the settings, codes; never ids, hosts or sources.
 */
public enum ServiceMetric {
    DOCUMENTS(
            "neardup_documents_total",
            Kind.COUNTER,
            "records that have left, tombstones among those on unique",
            "Is it working, and what share repeats something? A rising share of one reason is a producer's change.",
            "outcome",
            "reason"),
    DECISION_SECONDS(
            "neardup_decision_duration_seconds",
            Kind.HISTOGRAM,
            "from when a document was taken from the input until it left; readers see it a commit later",
            "The delay that this service adds. Half a second is usual."),
    SIMILARITY(
            "neardup_duplicate_similarity",
            Kind.HISTOGRAM,
            "similarity of duplicates to their originals",
            "Many just above the threshold: it stands in the midst of look-alikes, see tune."),
    CANDIDATE_SIMILARITY(
            "neardup_candidate_similarity",
            Kind.HISTOGRAM,
            "similarity of documents that share a bucket, estimated from their sketches, mostly within 0.1; also below"
                    + " the threshold",
            "A threshold in a valley has few about it. Empty where the signature has no sketches that tell."),
    PENDING(
            "neardup_pending_documents",
            Kind.GAUGE,
            "records in flight of an input partition",
            "Near 16,000 all the time: decisions are slower than the input.",
            "partition"),
    PENDING_OLDEST_SECONDS(
            "neardup_pending_oldest_seconds",
            Kind.GAUGE,
            "how long the oldest of them has been in flight; 0 where there is none",
            "Rising: something that it waits for is away. All behind it wait too.",
            "partition"),
    ASKED_AGAIN(
            "neardup_asked_again_total",
            Kind.COUNTER,
            "pending documents that asked again, as no answer had come for 10 s",
            "Rising while nothing restarts: a task that should answer does not get on."),
    VERIFICATIONS_DROPPED(
            "neardup_verifications_dropped_total",
            Kind.COUNTER,
            "verification requests that a coordinator dropped, as 64 MB of them waited",
            "Rising: comparing does not get on. Who asked asks again 10 s later."),
    INPUT_LAG(
            "neardup_input_lag_records",
            Kind.GAUGE,
            "records of an input partition behind what the group has committed; every instance has it: take the"
                    + " maximum",
            "Rising: the service is slower than its producers, or stands.",
            "topic",
            "partition"),
    INPUT_PAUSES(
            "neardup_input_pauses_total",
            Kind.COUNTER,
            "pauses of the input because too much was in flight",
            "Rises behind a backlog. Rising without one: see what is pending."),
    CANDIDATES(
            "neardup_candidates",
            Kind.HISTOGRAM,
            "candidates that a document asked about",
            "How many share a bucket with one. Rising: look-alikes, or too few rows."),
    VERIFICATIONS(
            "neardup_verifications",
            Kind.HISTOGRAM,
            "candidates that a document was compared with by all of their text",
            "What a decision costs. It takes most of the time where texts look alike."),
    CANDIDATES_UNLIKE(
            "neardup_candidates_unlike_total",
            Kind.COUNTER,
            "candidates dropped by their sketches or shingle bitmaps",
            "What sketches save."),
    CANDIDATES_DROPPED(
            "neardup_candidates_dropped_total",
            Kind.COUNTER,
            "likely candidates that were not compared because a document had too many",
            "Rising: duplicates may be missed. See what happens at a bound.",
            "by"),
    DOCUMENTS_BOUNDED(
            "neardup_documents_bounded_total",
            Kind.COUNTER,
            "unique documents whose candidates a bound truncated",
            "Of these one may be a duplicate that was missed.",
            "bound"),
    BUCKETS_FULL(
            "neardup_buckets_full_total",
            Kind.COUNTER,
            "insertions that a full bucket refused",
            "Rising: more than neardup.bucket.max documents have a band in common."),
    DOCUMENTS_WITHDRAWN(
            "neardup_documents_withdrawn_total",
            Kind.COUNTER,
            "unique documents that left as dead letters in the end",
            "Each is a promise that could not be kept: somebody lowered what an output carries."),
    SHINGLES(
            "neardup_shingles_total",
            Kind.COUNTER,
            "shingles of documents, repeats included",
            "Divided by documents: how long they are."),
    SHINGLES_BOILERPLATE(
            "neardup_shingles_boilerplate_total",
            Kind.COUNTER,
            "of these those of boilerplate, which do not count",
            "Divided by all: how much is boilerplate."),
    ORIGINALS_EXPIRED(
            "neardup_originals_expired_total",
            Kind.COUNTER,
            "originals whose retention was over",
            "Once the retention is over, as many as become unique."),
    ORIGINALS_REMOVED(
            "neardup_originals_removed_total",
            Kind.COUNTER,
            "originals that expired, or were removed by a tombstone, replaced or withdrawn",
            "The rest beside the expired ones are tombstones and new versions."),
    INDEX_DOCUMENTS(
            "neardup_index_documents",
            Kind.GAUGE,
            "originals and pending documents in the buckets of an index partition",
            "Every index partition has nearly all: the maximum is the size of the index.",
            "partition"),
    INDEX_BYTES(
            "neardup_index_bytes",
            Kind.GAUGE,
            "heap that the buckets of an index partition take",
            "The sum must fit the heap with room to spare.",
            "partition"),
    SKETCH_BYTES(
            "neardup_sketch_bytes",
            Kind.GAUGE,
            "heap that sketches of originals and shingle bitmaps take",
            "The sum belongs to the heap too.",
            "partition"),
    CHECKS(
            "neardup_checks_total",
            Kind.COUNTER,
            "questions to /api/check, by how they ended",
            "Busy: more than 64 at a time. Timeout: tasks move, are restored, or have too much to do.",
            "outcome"),
    READY("neardup_ready", Kind.GAUGE, "1 where every task of this instance runs, else 0", "As /health/ready."),
    INSTANCES_GONE(
            "neardup_instances_gone",
            Kind.GAUGE,
            "instances that left the group within the last ten minutes without being stopped, and no others have come,"
                    + " as this one sees it",
            "Above 0 for a minute: start it again; the log names it. Every instance has it: take the maximum."),
    TASKS(
            "neardup_tasks",
            Kind.GAUGE,
            "tasks of this instance",
            "Far fewer than other instances have: it came late, or its host is small."),
    RESTORE_RECORDS(
            "neardup_restore_records_left",
            Kind.GAUGE,
            "records of changelogs that are still to be restored",
            "Divided by the rate below: how long until it is ready."),
    RESTORE_RATE(
            "neardup_restore_records_per_second",
            Kind.GAUGE,
            "records restored a second since this restoring began",
            "0 for long while records are left: brokers, or an open transaction in a changelog."),
    THREADS(
            "neardup_stream_threads",
            Kind.GAUGE,
            "stream threads of Kafka Streams that are alive",
            "Fewer than num.stream.threads: it is stopping."),
    COMMITS(
            "neardup_stream_commits_total",
            Kind.COUNTER,
            "commits of stream threads",
            "Up to 16 a second of each stream thread while there is work. None with work: nothing leaves."),
    COMMIT_SECONDS(
            "neardup_stream_commit_seconds_max",
            Kind.GAUGE,
            "the longest commit of the last minute",
            "Long: brokers are slow, or far."),
    REBALANCES(
            "neardup_stream_rebalances_total",
            Kind.COUNTER,
            "rebalances that stream threads took part in",
            "Rising while no instance starts or stops: one is too slow for its session."),
    CONNECTIONS(
            "neardup_broker_connections",
            Kind.GAUGE,
            "connections of the consumers to brokers",
            "0: no broker answers.");

    private final String title;
    private final Kind kind;
    private final String meaning;
    private final String use;

    @SuppressWarnings("ImmutableEnumChecker") // As List.of made it.
    private final List<String> labels;

    ServiceMetric(String title, Kind kind, String meaning, String use, String... labels) {
        this.title = title;
        this.kind = kind;
        this.meaning = meaning;
        this.use = use;
        this.labels = List.of(labels);
    }

    /** How it comes. */
    public enum Kind {
        COUNTER,
        GAUGE,
        HISTOGRAM
    }

    /** Its name, of a counter with {@code _total}. */
    public String title() {
        return title;
    }

    public Kind kind() {
        return kind;
    }

    /** What it is, in half a sentence. */
    public String meaning() {
        return meaning;
    }

    /** What it means to whom. */
    public String use() {
        return use;
    }

    public List<String> labels() {
        return labels;
    }
}
