package io.neardup.tools.local;

import io.neardup.config.NeardupConfig;
import io.neardup.engine.similarity.Similarity;
import io.neardup.record.InputRecord;
import io.neardup.record.Reason;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.feed.FeedRecord;
import io.neardup.tools.feed.Skipped;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What was read and what came out: counted, written to the result files, and a few duplicates kept as examples. What
 * others have sent meanwhile, as its keys tell, is left alone; but for verdicts and stories, whose keys do not tell.
 *
 * <p>Thread-safe; what comes after {@link #close} is ignored.
 */
final class LocalResults implements Closeable {
    private final NeardupConfig config;
    private final ResultFiles files;
    private final DuplicateExamples examples;
    private final SortedMap<String, Long> reasons = new TreeMap<>();
    /** By what {@link OutputRecords#BOUNDED} says. */
    private final SortedMap<String, Long> bounded = new TreeMap<>();
    /** Of what was read. A publisher gives each record the place of its line as the key. */
    private final Set<String> sources = new HashSet<>();

    private final LocalStories stories = new LocalStories();

    private long published;
    private long unique;
    private long duplicates;
    private long deadLetters;
    /** Those of records that the service has seen. */
    private long verdicts;

    private long oversized;
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

    /** A record has been read; its result comes later. */
    synchronized void published(FeedRecord record) {
        if (published == 0) {
            firstNanos = System.nanoTime();
            lastNanos = firstNanos;
        }
        sources.add(record.source());
        published++;
    }

    /** A record has been read that is too long to be sent. */
    synchronized void oversized(FeedRecord record, boolean isOfSeed) throws IOException {
        if (isOfSeed) {
            seedsOversized++;
        } else {
            published(record);
            oversized++;
        }
        String detail = "expected a value of at most " + config.documentBytesMax()
                + " bytes (neardup.document.bytes.max), found " + record.length();
        deadLetter(Reason.TOO_LARGE.code(), detail, record.position(), null, null, isOfSeed);
    }

    /** A part of the input has been read that is no record. */
    synchronized void skipped(Skipped.Part part) {
        files.skipped(part);
    }

    /** No more records will be read. */
    synchronized void feedEnded(Skipped.Totals found) {
        feedEnded = true;
        skipped = found;
    }

    /**
     * All seeds are read.
     *
     * @param refused how many of them have left as dead letters
     */
    synchronized void seeded(long documents, long refused, Skipped.Totals found) {
        seedsSkipped = found;
        seeds = documents;
        seedsRefused = refused;
    }

    /** Whether everything that was read has come out. */
    synchronized boolean isComplete() {
        return feedEnded
                && seedsRefusedFound >= seedsRefused
                && decided() >= published
                && (!config.writesVerdicts() || verdicts + oversized >= published)
                && stories.isComplete();
    }

    synchronized void take(InputRecord record) throws IOException {
        if (closed) {
            return;
        }
        byte[] value = record.value();
        if (record.topic().equals(config.verdictsTopic())) {
            if (value != null) {
                verdicts++;
                files.write(ResultFiles.VERDICTS, value);
            }
        } else if (record.topic().equals(config.storiesTopic())) {
            if (value != null) {
                stories.take(value);
            }
        } else if (record.header(OutputRecords.SOURCE_TOPIC)
                .filter(LocalRun.SEED_TOPIC::equals)
                .isPresent()) {
            seedsRefusedFound++;
            deadLetter(record, true);
        } else if (isOurs(record)) {
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

    private boolean isOurs(InputRecord record) {
        String source = source(record);
        return sources.contains(source.substring(0, Math.max(0, source.lastIndexOf(':'))));
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
            stories.expect(neededHeader(record, OutputRecords.DUPLICATE_OF_PLACE));
        }
        examples.duplicate(record, id, original, similarity);
        files.duplicate(id, original, isOfSeed, similarity, source(record));
    }

    /** A revision of a story that an earlier start has left. */
    synchronized void earlierStory(InputRecord record) throws IOException {
        byte[] value = record.value();
        if (value != null) {
            stories.takeEarlier(value);
        }
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
                new LocalSummary.Stories(stories.last().size(), stories.largest()));
    }

    /** All has come out: the result files get their names. */
    synchronized void complete() throws IOException {
        if (!closed) {
            closed = true;
            for (byte[] story : stories.last()) {
                files.write(ResultFiles.STORIES, story);
            }
            files.complete();
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            files.close();
        }
    }

    private long decided() {
        return unique + duplicates + deadLetters;
    }

    private static double seconds(long nanos) {
        return nanos / 1e9;
    }
}
