package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.neardup.config.NeardupConfig;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.Reason;
import io.neardup.record.Rejection;
import io.neardup.tools.feed.Feed;
import io.neardup.tools.feed.FeedRecord;
import io.neardup.tools.feed.Skipped;
import io.neardup.tools.local.FieldNames;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The documents in the records of files, read one by one as the service reads records. Records that are no documents
 * are counted and skipped. A document that brings no id is named by its place, {@code file:number}, as in a local run.
 * Not thread-safe.
 */
public final class DocumentLines implements Closeable {
    private final Feed feed;
    private final DocumentReader reader;
    private final String topic;
    private final Map<Reason, Rejected> rejected = new EnumMap<>(Reason.class);
    private long lines;

    /**
     * The lines of files, one after the other, of which nothing is open yet.
     *
     * @param files as for {@link Feed}
     * @param standardInput what {@code -} stands for; not closed
     */
    public DocumentLines(List<String> files, InputStream standardInput, NeardupConfig config) {
        this.feed = new Feed(files, standardInput, Feed.Kind.of(config), config.documentBytesMax());
        this.reader = config.writtenDocumentReaders().get();
        this.topic = config.inputTopics().get(0);
    }

    /**
     * The next document, or null after the last line.
     *
     * @throws IOException that names the file, the line and what to do
     */
    public @Nullable Document next() throws IOException {
        for (FeedRecord line = feed.next(); line != null; line = feed.next()) {
            lines++;
            if (read(line) instanceof Document document) {
                return document;
            }
        }
        return null;
    }

    /** Lines read so far, without blank ones. */
    public long lines() {
        return lines;
    }

    public List<Rejected> rejected() {
        return List.copyOf(rejected.values());
    }

    public Skipped.Totals skippedTotals() {
        return feed.skippedTotals();
    }

    @Override
    public void close() throws IOException {
        feed.close();
    }

    private DocumentReader.Result read(FeedRecord line) {
        DocumentReader.Result result = line.isOversized()
                ? new Rejection(Reason.TOO_LARGE, "found " + line.length() + " bytes", null)
                : reader.read(record(line));
        if (result instanceof Rejection rejection) {
            rejected.merge(
                    rejection.reason(),
                    new Rejected(
                            rejection.reason(),
                            1,
                            line.position(),
                            rejection.detail(),
                            rejection.reason() == Reason.NO_TEXT ? FieldNames.of(line.bytes()) : List.of()),
                    (before, now) -> before.oneMore());
        }
        return result;
    }

    private InputRecord record(FeedRecord line) {
        return new InputRecord(topic, 0, lines - 1, 0, line.key(), line.bytes(), List.of());
    }

    /**
     * Lines that were no documents for one reason.
     *
     * @param count at least 1
     * @param first where the first of them is, as {@code file:number}
     * @param detail what was expected there and what was found; never text of the document
     * @param fields pointers to what of it holds text, where it was looked for in vain
     */
    public record Rejected(
            Reason reason,
            long count,
            String first,
            String detail,
            @JsonIgnore List<String> fields) {
        Rejected oneMore() {
            return new Rejected(reason, count + 1, first, detail, fields);
        }
    }

    /** Documents that can be read from the start more than once. */
    @FunctionalInterface
    public interface Source {
        DocumentLines open() throws IOException;
    }
}
