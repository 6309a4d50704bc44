package io.neardup.tools.feed;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Lines as they stand, one record each. Only {@code \n} ends a line: a {@code \r} before it belongs to the line, and
 * what follows the last one is a line. Lines of ASCII white space alone are skipped, but counted in the numbers of
 * those after them.
 */
final class JsonLinesReader implements FormatReader {
    private final String source;
    private final LineReader lines;
    private long number;

    JsonLinesReader(String source, InputStream in, int recordBytesMax) {
        this.source = source;
        this.lines = new LineReader(in, recordBytesMax);
    }

    @Override
    public @Nullable FeedRecord next() throws IOException {
        number++;
        while (lines.advance()) {
            if (!lines.isBlank()) {
                return lines.isOversized()
                        ? FeedRecord.oversized(source, number, lines.length())
                        : FeedRecord.of(source, number, lines.bytes());
            }
            number++;
        }
        return null;
    }

    @Override
    public long number() {
        return number;
    }
}
