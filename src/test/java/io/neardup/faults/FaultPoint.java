package io.neardup.faults;

import io.neardup.faults.FaultAgent.How;
import java.util.stream.Stream;

/**
 * Where a commit, a start or a stop is cut off, and what Kafka and the disk have then. The sources of the service name
 * none of these points: {@link FaultAgent} finds them by the names of types and methods. {@link FaultPointTest} fails
 * where it would not find one.
 *
 * <p>What RocksDB is given is in its memory, without a log, until it writes a file; it may do so at any time.
 */
enum FaultPoint {
    /** Kafka: all of a transaction, which is open. RocksDB: nothing of it. */
    BEFORE_COMMIT(Phase.WORK, How.BEFORE, "GuardedProducer", "commitTransaction", "2f 12f"),
    /** Kafka: the transaction is committed. RocksDB: nothing of it. */
    COMMITTED(Phase.WORK, How.BEFORE, "ThreadTransaction", "markCommitted", "2f 12f"),
    /** The same; a coordinator that comes later in the thread's turn: of those before it RocksDB has everything. */
    BEFORE_OFFSET(Phase.WORK, How.BEFORE, "OriginalsDisk", "commit", "1 2f 11f"),
    /** The offset is in the batch, which RocksDB does not have yet. */
    BEFORE_WRITE(Phase.WORK, How.BEFORE, "OriginalsDisk", "write", "1 2f 11f"),
    /** RocksDB: all of the transaction that is one coordinator's, and its offset. */
    WRITTEN(Phase.WORK, How.AFTER, "OriginalsDisk", "write", "11 1f 2f 11f"),

    /** RocksDB is about to write what it was given to two files, one of each family. */
    FLUSH_BEGUN(Phase.WORK, How.ON_FLUSH_BEGUN, FaultAgent.ORIGINALS_DISK, "options", "1 4"),
    /** One of the two files is whole; the manifest does not name it, nor the other. */
    FILE_WRITTEN(Phase.WORK, How.ON_FILE, FaultAgent.ORIGINALS_DISK, "options", "1 2 5"),
    /** The manifest names the files of a flush. */
    FLUSHED(Phase.WORK, How.ON_FLUSHED, FaultAgent.ORIGINALS_DISK, "options", "1 2 5"),

    /** Of a segment of buckets a part is there, of what was in memory or of several. */
    SEGMENT_BEGUN(Phase.WORK, How.AFTER, "SegmentWriter", "writeBand", "1 77"),
    /** A segment is whole on the disk; the manifest does not name it. */
    SEGMENT_WRITTEN(Phase.WORK, How.AFTER, "SegmentWriter", "write", "1 17"),
    /** The same, and the table uses it in the place of others. */
    SEGMENT_TAKEN(Phase.WORK, How.AFTER, "BandTable", "finish", "1 17"),
    /** A manifest is whole on the disk, under another name. Under its own lies the one before, or none. */
    BEFORE_RENAME(Phase.WORK, How.BEFORE_MOVE, "BandFiles", "move", "1 17"),
    /** It has its name; segments that it does not name are there. */
    RENAMED(Phase.WORK, How.AFTER_MOVE, "BandFiles", "move", "1 17"),
    /** Of these segments some are deleted. */
    SEGMENT_DELETED(Phase.WORK, How.AFTER_DELETION, "BandSegments", "deleteIfExists", "1 5"),

    /** Kafka: everything. RocksDB: everything, of which not all is in files. */
    BEFORE_FLUSH_AT_STOP(Phase.STOP, How.BEFORE, "OriginalsDisk", "flush", "1 2"),
    /** One coordinator's is in files. */
    FLUSHED_AT_STOP(Phase.STOP, How.AFTER, "OriginalsDisk", "flush", "1 2"),
    /** As {@link #BEFORE_RENAME}, of the manifest that a stop writes. */
    BEFORE_RENAME_AT_STOP(Phase.STOP, How.BEFORE_MOVE, "BandFiles", "move", "1 4"),
    /** As {@link #RENAMED}, of the manifest that a stop writes. */
    RENAMED_AT_STOP(Phase.STOP, How.AFTER_MOVE, "BandFiles", "move", "1 4"),

    /** RocksDB: a part of what the changelog has, as the files were lost. */
    RESTORED_PART(Phase.START_WITHOUT_ORIGINALS, How.AFTER, "OriginalStore", "restore", "1f"),

    /** Of files that cannot be used a part is deleted. */
    DELETED_PART(Phase.START_WITH_DAMAGE, How.AFTER_DELETION, "StateFolder", "deleteIfExists", "1 3 6");

    /** What the service does when it is killed. */
    enum Phase {
        WORK,
        STOP,
        START_WITHOUT_ORIGINALS,
        START_WITH_DAMAGE
    }

    final Phase phase;
    final How how;
    final String type;
    final String method;
    private final String hits;

    /**
     * A kill.
     *
     * @param hit at which arrival at the point, counted from 1
     * @param isFlushed whether RocksDB has what it was given in files then
     */
    record Kill(FaultPoint point, int hit, boolean isFlushed) {}

    /**
     * Two coordinators and four band tables take turns. So 1 and 2 are two coordinators of one commit, 17 the fifth of
     * a table, of several.
     *
     * @param type name without its package
     * @param method of the type, or which the type calls
     * @param hits the arrivals of the kills, with f those that are flushed
     */
    FaultPoint(Phase phase, How how, String type, String method, String hits) {
        this.phase = phase;
        this.how = how;
        this.type = type;
        this.method = method;
        this.hits = hits;
    }

    Stream<Kill> kills() {
        return Stream.of(hits.split(" ", -1))
                .map(hit -> new Kill(this, Integer.parseInt(hit.replace("f", "")), hit.endsWith("f")));
    }
}
