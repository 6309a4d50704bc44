package io.neardup.tools.local;

import io.neardup.config.NeardupConfig;
import io.neardup.engine.similarity.Similarity;
import io.neardup.record.InputRecord;
import io.neardup.record.Reason;
import io.neardup.record.Story;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.feed.FeedRecord;
import io.neardup.tools.feed.Skipped;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * What was read and what came out: counted, written to the result files, and a few duplicates kept as examples. What
 * others have sent, or an earlier run, is told by a header and left alone. Verdicts and stories have none: all that
 * come meanwhile are taken. Where others repeat the same original meanwhile, the last state of its story may be missed.
 *
 * <p>Thread-safe; what comes after {@link #close} is not written.
 */
final class LocalResults implements Closeable {
    private static final String RUN = "local.run";

    private static final int LARGEST_MAX = 3;

    private final NeardupConfig config;
    private final ResultFiles files;
    private final DuplicateExamples examples;
    private final SortedMap<String, Long> reasons = new TreeMap<>();
    /** By what {@link OutputRecords#BOUNDED} says. */
    private final SortedMap<String, Long> bounded = new TreeMap<>();

    private final Header run =
            new RecordHeader(RUN, UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8));
    /** The last state of each by its place, in the order in which they came. */
    private final Map<String, byte[]> stories = new LinkedHashMap<>();
    /** By place, as the last state has them, also what an earlier start has left. */
    private final Map<String, Long> storyCopies = new HashMap<>();
    /** Copies that have come out and are in no state yet, by place; below 0 where that came first. */
    private final Map<String, Long> awaitedCopies = new HashMap<>();

    private long published;
    private long unique;
    private long duplicates;
    private long deadLetters;
    private long seeds;
    private long seedsRefused;
    private long seedsRefusedFound;
    private long seedsOversized;
    private Skipped.Totals seedsSkipped = Skipped.Totals.NONE;
    private long firstNanos;
    private long lastNanos;
    private boolean feedEnded;
    private Skipped.Totals skipped = Skipped.Totals.NONE;
    private boolean closed;
    /** Of the first document, if it has no text. */
    private List<String> fields = List.of();

    LocalResults(NeardupConfig config, Optional<Path> out) throws IOException {
        this.config = config;
        List<String> more = new ArrayList<>();
        if (config.writesVerdicts()) {
            more.add(ResultFiles.VERDICTS);
        }
        if (config.writesStories()) {
            more.add(ResultFiles.STORIES);
        }
        this.files = out.isPresent() ? ResultFiles.create(out.get(), more.toArray(String[]::new)) : ResultFiles.none();
        this.examples = new DuplicateExamples(
                config.threshold(), config.documentReaders().get());
    }

    /** What the records of this run are told by. */
    Header run() {
        return run;
    }

    /** A record has been read; its result comes later. */
    synchronized void published() {
        if (published == 0) {
            firstNanos = System.nanoTime();
            lastNanos = firstNanos;
        }
        published++;
    }

    /** A record has been read that is too long to be sent. */
    synchronized void oversized(FeedRecord record, boolean isOfSeed) throws IOException {
        if (isOfSeed) {
            seedsOversized++;
        } else {
            published();
        }
        String detail = "expected a value of at most " + config.documentBytesMax()
                + " bytes (neardup.document.bytes.max), found " + record.length();
        deadLetter(Reason.TOO_LARGE.code(), detail, record.position(), null, null, isOfSeed);
    }

    synchronized void skipped(Skipped.Part part) {
        files.skipped(part);
    }

    synchronized void feedEnded(Skipped.Totals found) {
        feedEnded = true;
        skipped = found;
    }

    synchronized void seedsSent(long documents, Skipped.Totals found) {
        seeds = documents;
        seedsSkipped = found;
    }

    /** All seeds are read; some of them have left as dead letters. */
    synchronized void seedsRead(long refused) {
        seedsRefused = refused;
    }

    /** Whether everything that was read has come out, but for verdicts. */
    synchronized boolean isComplete() {
        return feedEnded
                && seedsRefusedFound >= seedsRefused
                && decided() >= published
                && awaitedCopies.values().stream().noneMatch(copies -> copies > 0);
    }

    synchronized void take(InputRecord record) throws IOException {
        byte[] value = record.value();
        if (config.writesVerdicts() && record.topic().equals(config.verdictsTopic())) {
            if (value != null) {
                files.write(ResultFiles.VERDICTS, value);
            }
        } else if (config.writesStories() && record.topic().equals(config.storiesTopic())) {
            long more = storyCopies(record);
            if (value != null) {
                stories.put(source(record), value);
                awaitCopies(source(record), -more);
            }
        } else if (record.header(OutputRecords.SOURCE_TOPIC)
                .filter(LocalRun.SEED_TOPIC::equals)
                .isPresent()) {
            seedsRefusedFound++;
            deadLetter(record, true);
        } else if (record.header(RUN).equals(Optional.of(new String(run.value(), StandardCharsets.UTF_8)))) {
            lastNanos = System.nanoTime();
            if (record.topic().equals(config.uniqueTopic())) {
                unique(record);
            } else if (record.topic().equals(config.duplicatesTopic())) {
                duplicate(record);
            } else {
                deadLetter(record, false);
            }
        }
    }

    /** Notes a state of a story, or its end, which may be of an earlier start; returns how many copies it adds. */
    synchronized long storyCopies(InputRecord record) throws IOException {
        byte[] value = record.value();
        Long before = storyCopies.remove(source(record));
        if (value == null) {
            return 0;
        }
        long copies = Story.decode(value).copies();
        storyCopies.put(source(record), copies);
        return copies - (before == null ? 0 : before);
    }

    private void awaitCopies(String place, long more) {
        awaitedCopies.compute(place, (same, copies) -> {
            long awaited = (copies == null ? 0 : copies) + more;
            return awaited == 0 ? null : awaited;
        });
    }

    private void unique(InputRecord record) throws IOException {
        unique++;
        record.header(OutputRecords.BOUNDED).ifPresent(bounds -> bounded.merge(bounds, 1L, Long::sum));
        examples.unique(record);
        byte[] value = record.value();
        if (value != null) {
            files.write(ResultFiles.UNIQUE, value);
        }
    }

    private void duplicate(InputRecord record) throws IOException {
        duplicates++;
        String id = neededHeader(record, OutputRecords.ID);
        String original = neededHeader(record, OutputRecords.DUPLICATE_OF);
        boolean isOfSeed = record.header(OutputRecords.DUPLICATE_OF_SEED).isPresent();
        Similarity similarity = new Similarity(
                Double.parseDouble(neededHeader(record, OutputRecords.SIMILARITY)),
                share(record, OutputRecords.CONTAINMENT_OF_DUPLICATE),
                share(record, OutputRecords.CONTAINMENT_OF_ORIGINAL),
                share(record, OutputRecords.SIMILARITY_WHOLE));
        if (config.writesStories()) {
            awaitCopies(neededHeader(record, OutputRecords.DUPLICATE_OF_PLACE), 1);
        }
        examples.duplicate(record, id, original, similarity);
        files.duplicate(id, original, isOfSeed, similarity, source(record));
    }

    private void deadLetter(InputRecord record, boolean isOfSeed) throws IOException {
        deadLetter(
                neededHeader(record, OutputRecords.REASON),
                neededHeader(record, OutputRecords.DETAIL),
                source(record),
                record.header(OutputRecords.ID).orElse(null),
                record.value(),
                isOfSeed);
    }

    private void deadLetter(
            String reason, String detail, String source, @Nullable String id, byte @Nullable [] value, boolean isOfSeed)
            throws IOException {
        if (!isOfSeed) {
            deadLetters++;
            reasons.merge(reason, 1L, Long::sum);
            if (deadLetters == 1 && value != null && reason.equals(Reason.NO_TEXT.code())) {
                fields = FieldNames.of(value);
            }
        }
        files.deadLetter(reason, detail, source, id, value);
    }

    /** NaN where it is not known. */
    private static double share(InputRecord record, String name) {
        return record.header(name).map(Double::parseDouble).orElse(Double.NaN);
    }

    private static String source(InputRecord record) {
        byte[] key = record.key();
        return key == null ? record.place() : new String(key, StandardCharsets.UTF_8);
    }

    private static String neededHeader(InputRecord record, String name) throws IOException {
        return record.header(name)
                .orElseThrow(() ->
                        new IOException("record " + record.place() + ": expected a header " + name + ", found none"));
    }

    /** How far the run is, with the rate since the first document; empty before the first document. */
    synchronized Optional<String> progress() {
        if (published == 0) {
            return Optional.empty();
        }
        double passed = seconds(System.nanoTime() - firstNanos);
        return Optional.of(String.format(
                Locale.ROOT,
                "%,d of %,d documents  %,d unique  %,d duplicates  %,d dead  %,.0f/s",
                decided(),
                published,
                unique,
                duplicates,
                deadLetters,
                passed > 0 ? decided() / passed : 0));
    }

    synchronized LocalSummary summary(Duration start, LocalSummary.Cost cost) throws IOException {
        return new LocalSummary(
                seeds,
                seedsRefusedFound + seedsOversized,
                published,
                unique,
                new TreeMap<>(bounded),
                duplicates,
                deadLetters,
                new TreeMap<>(reasons),
                seconds(lastNanos - firstNanos),
                seconds(start.toNanos()),
                cost,
                examples.chosen(),
                reasons.getOrDefault(Reason.NO_TEXT.code(), 0L) == published ? fields : List.of(),
                seedsSkipped.and(skipped),
                stories.size(),
                largestStories());
    }

    private List<Story> largestStories() throws IOException {
        List<Story> largest = new ArrayList<>();
        for (byte[] json : stories.values()) {
            largest.add(Story.decode(json));
            largest.sort(Story.LARGEST_FIRST);
            largest.subList(Math.min(LARGEST_MAX, largest.size()), largest.size())
                    .clear();
        }
        return largest;
    }

    /** All has come out: the result files get their names. */
    synchronized void complete() throws IOException {
        if (!closed) {
            closed = true;
            for (byte[] story : stories.values()) {
                files.write(ResultFiles.STORIES, story);
            }
            files.complete();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        files.close();
    }

    private long decided() {
        return unique + duplicates + deadLetters;
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }
}
