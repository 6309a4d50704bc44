package io.neardup.tools.local;

import io.neardup.engine.similarity.Similarity;
import io.neardup.record.InputRecord;
import io.neardup.record.Reason;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.feed.FeedRecord;
import io.neardup.tools.feed.SkippedPart;
import io.neardup.tools.feed.SkippedTotals;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What was read and what came out: counted, written to the result files, and a few duplicates kept as examples.
 * Thread-safe; what comes after {@link #close} is ignored.
 */
final class LocalResults implements Closeable {
    private final Optional<ResultFiles> files;
    private final DuplicateExamples examples;
    private final DuplicateSample someDuplicates = new DuplicateSample();
    private final boolean awaitsVerdicts;
    private final LongSupplier nanoClock;
    private final RateMeter rate = new RateMeter();
    private final SortedMap<String, Long> reasons = new TreeMap<>();
    /** By what {@link OutputRecords#BOUNDED} says. */
    private final SortedMap<String, Long> bounded = new TreeMap<>();

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
    private SkippedTotals seedsSkipped = SkippedTotals.NONE;
    private long firstNanos;
    private long lastNanos;
    private boolean feedEnded;
    private SkippedTotals skipped = SkippedTotals.NONE;
    private boolean closed;
    /** Of the first document, if it has no text. */
    private List<String> fields = List.of();

    /** @param awaitsVerdicts whether the service writes a verdict on each record too */
    LocalResults(
            Optional<ResultFiles> files, DuplicateExamples examples, boolean awaitsVerdicts, LongSupplier nanoClock) {
        this.files = files;
        this.examples = examples;
        this.awaitsVerdicts = awaitsVerdicts;
        this.nanoClock = nanoClock;
    }

    /** A line has been read; its result comes later. */
    synchronized void published() {
        if (published == 0) {
            firstNanos = nanoClock.getAsLong();
            lastNanos = firstNanos;
        }
        published++;
    }

    /**
     * A record has been read that is too long to be sent.
     *
     * @param bytesMax that the service takes of a value
     */
    synchronized void oversized(FeedRecord line, int bytesMax, boolean isOfSeed) throws IOException {
        if (isOfSeed) {
            seedsOversized++;
        } else {
            published();
            oversized++;
        }
        String detail = "expected a value of at most " + bytesMax + " bytes, found " + line.length();
        deadLetter(new Letter(Reason.TOO_LARGE.code(), detail, line.position(), null, null), isOfSeed);
    }

    /** A part of the input has been read that is no record. */
    synchronized void skipped(SkippedPart part) {
        try {
            if (files.isPresent() && !closed) {
                files.get().skipped(part);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** No more records will be read. */
    synchronized void feedEnded(SkippedTotals found) {
        feedEnded = true;
        skipped = found;
    }

    /** Whether everything that was read has come out. */
    synchronized boolean isComplete() {
        return feedEnded
                && seedsRefusedFound >= seedsRefused
                && decided() == published
                && (!awaitsVerdicts || verdicts + oversized == published);
    }

    synchronized void unique(InputRecord record) throws IOException {
        if (!closed) {
            unique++;
            record.header(OutputRecords.BOUNDED).ifPresent(bounds -> bounded.merge(bounds, 1L, Long::sum));
            lastNanos = nanoClock.getAsLong();
            examples.unique(record);
            byte[] value = record.value();
            if (files.isPresent() && value != null) {
                files.get().unique(value);
            }
        }
    }

    synchronized void duplicate(InputRecord record) throws IOException {
        if (!closed) {
            duplicates++;
            lastNanos = nanoClock.getAsLong();
            String id = neededHeader(record, OutputRecords.ID);
            String original = neededHeader(record, OutputRecords.DUPLICATE_OF);
            boolean isOfSeed = record.header(OutputRecords.DUPLICATE_OF_SEED).isPresent();
            Similarity similarity = similarity(record);
            examples.duplicate(record, id, original, similarity);
            someDuplicates.add(id, original);
            if (files.isPresent()) {
                files.get().duplicate(id, original, isOfSeed, similarity, source(record));
            }
        }
    }

    synchronized void verdict(InputRecord record) throws IOException {
        byte[] value = record.value();
        if (!closed && value != null) {
            verdicts++;
            if (files.isPresent()) {
                files.get().verdict(value);
            }
        }
    }

    private static Similarity similarity(InputRecord record) throws IOException {
        double value = Double.parseDouble(neededHeader(record, OutputRecords.SIMILARITY));
        return new Similarity(
                value,
                share(record, OutputRecords.CONTAINMENT_OF_DUPLICATE),
                share(record, OutputRecords.CONTAINMENT_OF_ORIGINAL),
                share(record, OutputRecords.SIMILARITY_WHOLE));
    }

    /** NaN where it is not known. */
    private static double share(InputRecord record, String name) {
        return record.header(name).map(Double::parseDouble).orElse(Double.NaN);
    }

    /**
     * All seeds are read.
     *
     * @param documents records of them, bad ones included
     * @param refused how many of them have left as dead letters
     * @param found what of their files was no record
     */
    synchronized void seeded(long documents, long refused, SkippedTotals found) {
        seedsSkipped = found;
        seeds = documents;
        seedsRefused = refused;
    }

    /** Of what was published, or of a seed. */
    synchronized void deadLetter(InputRecord record) throws IOException {
        boolean isOfSeed = record.header(OutputRecords.SOURCE_TOPIC)
                .filter(LocalRun.SEED_TOPIC::equals)
                .isPresent();
        seedsRefusedFound += isOfSeed ? 1 : 0;
        Letter letter = new Letter(
                neededHeader(record, OutputRecords.REASON),
                neededHeader(record, OutputRecords.DETAIL),
                source(record),
                record.header(OutputRecords.ID).orElse(null),
                record.value());
        deadLetter(letter, isOfSeed);
    }

    @SuppressWarnings("ArrayRecordComponent") // It is never compared.
    private record Letter(
            String reason,
            String detail,
            String source,
            @Nullable String id,
            byte @Nullable [] value) {}

    private void deadLetter(Letter letter, boolean isOfSeed) throws IOException {
        if (closed) {
            return;
        }
        if (!isOfSeed) {
            deadLetters++;
            lastNanos = nanoClock.getAsLong();
            reasons.merge(letter.reason, 1L, Long::sum);
            if (deadLetters == 1 && letter.value != null && letter.reason.equals(Reason.NO_TEXT.code())) {
                fields = FieldNames.of(letter.value);
            }
        }
        if (files.isPresent()) {
            files.get().deadLetter(letter.reason, letter.detail, letter.source, letter.id, letter.value);
        }
    }

    /** How far the run is; the rate is that between calls. */
    synchronized LocalSnapshot snapshot() {
        long now = nanoClock.getAsLong();
        Duration elapsed = Duration.ofNanos(published == 0 ? 0 : now - firstNanos);
        return new LocalSnapshot(published, unique, duplicates, deadLetters, elapsed, rate.sample(now, decided()));
    }

    synchronized LocalSummary summary(Duration start, LocalSummary.Cost cost) {
        return new LocalSummary(
                seeds,
                seedsRefusedFound + seedsOversized,
                published,
                unique,
                new TreeMap<>(bounded),
                duplicates,
                deadLetters,
                new TreeMap<>(reasons),
                seconds(Duration.ofNanos(lastNanos - firstNanos)),
                seconds(start),
                cost,
                examples.chosen(),
                someDuplicates.drawn(),
                reasons.getOrDefault(Reason.NO_TEXT.code(), 0L) == published ? fields : List.of(),
                seedsSkipped.and(skipped));
    }

    /** All has come out: the result files get their names. */
    synchronized void complete() throws IOException {
        if (!closed) {
            closed = true;
            if (files.isPresent()) {
                files.get().complete();
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            if (files.isPresent()) {
                files.get().close();
            }
        }
    }

    private long decided() {
        return unique + duplicates + deadLetters;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    /** The publisher gives each record the place of its line as the key. */
    private static String source(InputRecord record) {
        byte[] key = record.key();
        return key == null ? record.place() : new String(key, StandardCharsets.UTF_8);
    }

    private static String neededHeader(InputRecord record, String name) throws IOException {
        return record.header(name)
                .orElseThrow(() ->
                        new IOException("record " + record.place() + ": expected a header " + name + ", found none"));
    }
}
