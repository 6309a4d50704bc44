package io.neardup.tools.audit;

import io.neardup.record.Verdict;
import io.neardup.record.VerdictCodec;
import io.neardup.tools.feed.Feed;
import io.neardup.tools.feed.FeedRecord;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Verdicts in the lines of a file, which may be packed by gzip or zstd: one lane. */
public final class FileVerdicts implements VerdictLog {
    private static final int LINE_BYTES_MAX = 1 << 20;

    private final String file;

    public FileVerdicts(String file) {
        this.file = file;
    }

    @Override
    public String name() {
        return file;
    }

    @Override
    public int lanes() {
        return 1;
    }

    @Override
    public Lane open(int lane) {
        Feed feed = new Feed(List.of(file), InputStream.nullInputStream(), Feed.Kind.LINES, LINE_BYTES_MAX);
        return new Lane() {
            @Override
            public @Nullable Verdict next() throws IOException {
                FeedRecord line = feed.next();
                return line == null ? null : decode(line);
            }

            @Override
            public void close() throws IOException {
                feed.close();
            }
        };
    }

    private static Verdict decode(FeedRecord line) throws IOException {
        try {
            return VerdictCodec.decode(line.bytes());
        } catch (IOException e) {
            throw new IOException(line.position() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        // Nothing is open between readings.
    }
}
