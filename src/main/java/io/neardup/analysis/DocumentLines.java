package io.neardup.analysis;

import io.neardup.config.NeardupConfig;
import io.neardup.document.Document;
import io.neardup.document.DocumentReader;
import io.neardup.document.InputRecord;
import io.neardup.document.ReadResult;
import io.neardup.document.Reason;
import io.neardup.document.Rejection;
import io.neardup.local.FeedLine;
import io.neardup.local.LineFeed;
import io.neardup.signing.DocumentReaders;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The documents in the lines of a file, read one by one as the service reads records. Lines that are no documents are
 * counted and skipped. A document that brings no id is named by its line, {@code file:number}, as in a local run. Not
 * thread-safe.
 */
public final class DocumentLines implements Closeable {
    private final LineFeed feed;
    private final DocumentReader reader;
    private final String topic;
    private final Map<Reason, Rejected> rejected = new EnumMap<>(Reason.class);
    private long lines;

    /**
     * The lines of a file, of which nothing is open yet.
     *
     * @param file JSON lines or what the settings say, plain or gzip; {@code -} is the standard input
     * @param standardInput what {@code -} stands for; not closed
     */
    public DocumentLines(String file, InputStream standardInput, NeardupConfig config) {
        this(List.of(file), standardInput, config);
    }

    /** The lines of several files, one after the other; without any, the sample feed. */
    public DocumentLines(List<String> files, InputStream standardInput, NeardupConfig config) {
        this.feed = new LineFeed(files, standardInput, config.documentBytesMax());
        this.reader = DocumentReaders.of(config).get();
        this.topic = config.inputTopics().get(0);
    }

    /**
     * The next document, or null after the last line.
     *
     * @throws IOException that names the file, the line and what to do
     */
    public @Nullable Document next() throws IOException {
        for (FeedLine line = feed.next(); line != null; line = feed.next()) {
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

    /** The lines so far that were no documents, by reason. */
    public List<Rejected> rejected() {
        return List.copyOf(rejected.values());
    }

    @Override
    public void close() throws IOException {
        feed.close();
    }

    private ReadResult read(FeedLine line) {
        ReadResult result = line.isOversized()
                ? new Rejection(Reason.TOO_LARGE, "found " + line.length() + " bytes", null)
                : reader.read(record(line));
        if (result instanceof Rejection rejection) {
            rejected.merge(
                    rejection.reason(),
                    new Rejected(rejection.reason(), 1, line.position(), rejection.detail()),
                    (before, now) -> before.oneMore());
        }
        return result;
    }

    private InputRecord record(FeedLine line) {
        byte[] key = line.position().getBytes(StandardCharsets.UTF_8);
        return new InputRecord(topic, 0, lines - 1, 0, key, line.bytes(), List.of());
    }
}
