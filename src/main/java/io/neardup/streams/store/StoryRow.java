package io.neardup.streams.store;

import io.neardup.engine.protocol.Provenance;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a story beside its sources and publishers. But for {@link Writing} it follows from the events alone,
 * in whatever order they came.
 *
 * @param original null as long as no copy was met: only that it has ended is known
 * @param latest of the copies those with the latest times, the latest first
 * @param similarities how many copies are that similar, in hundredths, rounded down
 * @param similarityMin of the copies, exact; 1 where there are none
 * @param sources of original and copies
 * @param writing where its revisions stand
 */
public record StoryRow(
        @Nullable Carrier original,
        @Nullable Carrier representative,
        long copies,
        long firstMillis,
        long lastMillis,
        List<Carrier> latest,
        SortedMap<Integer, Long> similarities,
        double similarityMin,
        Sources sources,
        Writing writing) {
    /** Of the layouts of all rows of stories that this release writes and reads. */
    public static final int VERSION = 1;

    /** So most stories are a row alone, which is read and written at once. */
    public static final int FEW_MAX = 16;

    /** Of a story of which nothing is known. */
    public static final StoryRow NONE = new StoryRow(
            null,
            null,
            0,
            Long.MAX_VALUE,
            Long.MIN_VALUE,
            List.of(),
            new TreeMap<>(),
            1,
            new Sources(List.of(), 0, true),
            new Writing(0, 0, 0, 0));

    static final Layout<StoryRow> LAYOUT = new Layout<>("a story", VERSION, StoryRow::put, StoryRow::take);

    private static final int CARRIER_BYTES_MIN = 12;
    private static final int SOURCE_BYTES_MIN = 10;

    /**
     * A source of a story. Its publisher is a matter of the settings at the time that somebody asks.
     *
     * @param firstMillis of its earliest document
     */
    public record SourceRow(String source, long copies, long firstMillis) {
        static void put(ByteWriter to, SourceRow row) {
            to.putText(row.source).putSmall(row.copies).putLong(row.firstMillis);
        }

        static SourceRow take(ByteReader from) {
            return new SourceRow(from.takeText(), from.takeSmall(), from.takeLong());
        }
    }

    /**
     * The sources of a story: few in its row, more in rows of their own.
     *
     * @param few sources by name, as long as there are at most {@value #FEW_MAX}; else none, as each has a row
     * @param count how many sources there are, here or in rows
     * @param exact whether each source is kept, so that publishers can be counted
     */
    public record Sources(List<SourceRow> few, int count, boolean exact) {
        /** That many, and no more. */
        public static Sources few(List<SourceRow> few) {
            return new Sources(few, few.size(), true);
        }

        public boolean areFew() {
            return count == few.size();
        }
    }

    /** A document that carried it. */
    public record Carrier(String id, Provenance from) {}

    /**
     * Where the revisions of a story stand. Times are the clock's, in milliseconds since 1970.
     *
     * @param revision of the last one, 0 before the first
     * @param writtenMillis when that was written
     * @param dueMillis when the next one is to be, 0 where none is
     * @param endedMillis when the end of the original was received, 0 where it has not ended
     */
    public record Writing(long revision, long writtenMillis, long dueMillis, long endedMillis) {
        public Writing written(long nowMillis) {
            return new Writing(revision + 1, nowMillis, 0, endedMillis);
        }

        public Writing due(long atMillis) {
            return new Writing(revision, writtenMillis, atMillis, endedMillis);
        }

        public Writing ended(long nowMillis) {
            return new Writing(revision, writtenMillis, dueMillis, nowMillis);
        }

        /** Where others have written it, too: revisions go on behind theirs. */
        public Writing after(Writing others) {
            return new Writing(Math.max(revision, others.revision), writtenMillis, dueMillis, endedMillis);
        }
    }

    public StoryRow with(Writing now) {
        return with(representative, now);
    }

    public StoryRow with(@Nullable Carrier representedBy, Writing now) {
        return new StoryRow(
                original,
                representedBy,
                copies,
                firstMillis,
                lastMillis,
                latest,
                similarities,
                similarityMin,
                sources,
                now);
    }

    private static void put(ByteWriter to, StoryRow row) {
        to.putOrNone(row.original, StoryRow::putCarrier).putOrNone(row.representative, StoryRow::putCarrier);
        to.putSmall(row.copies).putLong(row.firstMillis).putLong(row.lastMillis);
        to.putSmall(row.latest.size());
        row.latest.forEach(copy -> putCarrier(to, copy));
        to.putSmall(row.similarities.size());
        row.similarities.forEach((hundredth, copies) -> to.putSmall(hundredth).putSmall(copies));
        to.putDouble(row.similarityMin);
        Sources sources = row.sources;
        to.putSmall(sources.few.size());
        sources.few.forEach(source -> SourceRow.put(to, source));
        to.putSmall(sources.count).putFlag(sources.exact);
        Writing writing = row.writing;
        to.putSmall(writing.revision)
                .putSmall(writing.writtenMillis)
                .putSmall(writing.dueMillis)
                .putSmall(writing.endedMillis);
    }

    private static StoryRow take(ByteReader from) {
        Carrier original = from.takeOrNone(StoryRow::takeCarrier);
        Carrier representative = from.takeOrNone(StoryRow::takeCarrier);
        long copies = from.takeSmall();
        long firstMillis = from.takeLong();
        long lastMillis = from.takeLong();
        List<Carrier> latest = new ArrayList<>();
        for (int more = from.takeCount(CARRIER_BYTES_MIN); more > 0; more--) {
            latest.add(takeCarrier(from));
        }
        SortedMap<Integer, Long> similarities = new TreeMap<>();
        for (int more = from.takeCount(2); more > 0; more--) {
            similarities.put(from.takeInt(100), from.takeSmall());
        }
        double similarityMin = from.takeDouble();
        List<SourceRow> few = new ArrayList<>();
        for (int more = from.takeCount(SOURCE_BYTES_MIN); more > 0; more--) {
            few.add(SourceRow.take(from));
        }
        return new StoryRow(
                original,
                representative,
                copies,
                firstMillis,
                lastMillis,
                latest,
                similarities,
                similarityMin,
                new Sources(few, from.takeInt(Integer.MAX_VALUE), from.takeFlag()),
                new Writing(from.takeSmall(), from.takeSmall(), from.takeSmall(), from.takeSmall()));
    }

    private static void putCarrier(ByteWriter to, Carrier carrier) {
        to.putText(carrier.id).putProvenance(carrier.from);
    }

    private static Carrier takeCarrier(ByteReader from) {
        return new Carrier(from.takeText(), from.takeProvenance());
    }
}
