package io.neardup.streams.store;

import io.neardup.streams.metrics.DiskFailures;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The snapshot of a {@link BandStore} on the disk. It only saves time: what fails is told, and done without. */
final class BucketsFile {
    private static final Logger LOG = LoggerFactory.getLogger(BandStore.class);

    private final BandSnapshot file;
    private final DiskFailures failures;
    private final LongSupplier nowMillis;
    private Optional<BandSnapshot.Header> header = Optional.empty();

    BucketsFile(BandSnapshot file, DiskFailures failures, LongSupplier nowMillis) {
        this.file = file;
        this.failures = failures;
        this.nowMillis = nowMillis;
    }

    BandSnapshot file() {
        return file;
    }

    /** What it is of, by what was read or written last; empty where there is none that can be used. */
    Optional<BandSnapshot.Header> header() {
        return header;
    }

    private interface Reading<T> {
        Optional<T> of(BandSnapshot from) throws IOException;
    }

    private <T> Optional<T> ifUsable(Reading<T> reading) {
        try {
            return reading.of(file);
        } catch (IOException e) {
            LOG.warn(
                    "the buckets are read from the whole changelog, as their file cannot be used file={} {}",
                    file.file(),
                    e.getMessage());
            return Optional.empty();
        }
    }

    void readHeader() {
        header = ifUsable(from -> from.header(nowMillis.getAsLong()));
    }

    /** The table in there, which goes on in a log. */
    Optional<LoggedBandTable> read(LoggedBandTable.Log log) {
        Optional<BandSnapshot.Content> read =
                ifUsable(from -> from.read(nowMillis.getAsLong(), new RecentSegments(), log));
        header = read.map(BandSnapshot.Content::header);
        read.ifPresent(content -> LOG.info(
                "read buckets file={} offset={} documents={}",
                file.file(),
                content.header().offset(),
                content.table().documents()));
        return read.map(BandSnapshot.Content::table);
    }

    /** Replaces it with what a table is at an offset of the changelog. */
    void write(LoggedBandTable content, long offset) {
        BandSnapshot.Header now = new BandSnapshot.Header(nowMillis.getAsLong(), offset);
        try {
            file.write(content, now);
            LOG.info("wrote buckets file={} offset={} documents={}", file.file(), offset, content.documents());
            note(now);
        } catch (IOException e) {
            failed(e);
        }
    }

    /** It was written beside the work of a table. */
    void written(BandSnapshot.Header now, LoggedBandTable content) {
        LOG.debug(
                "wrote buckets beside the work file={} offset={} documents={}",
                file.file(),
                now.offset(),
                content.documents());
        note(now);
    }

    private void note(BandSnapshot.Header now) {
        header = Optional.of(now);
        failures.written(file.file());
    }

    void failed(IOException cause) {
        LOG.warn(
                "a restart takes longer, as the buckets could not be written; check the disk file={} cause={}",
                file.file(),
                cause.toString());
        failures.failed(file.file(), cause);
    }
}
