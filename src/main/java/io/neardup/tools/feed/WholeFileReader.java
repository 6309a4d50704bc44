package io.neardup.tools.feed;

import io.neardup.engine.text.HtmlBoundException;
import io.neardup.engine.text.HtmlText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/** A file that is one document: a page, or a plain text. Its name is the id. */
final class WholeFileReader implements FormatReader {
    private final String source;
    private final InputStream in;
    private final boolean isHtml;
    private final Skipped skipped;
    private final int recordBytesMax;
    private boolean isRead;

    WholeFileReader(String source, InputStream in, boolean isHtml, Skipped skipped, int recordBytesMax) {
        this.source = source;
        this.in = in;
        this.isHtml = isHtml;
        this.skipped = skipped;
        this.recordBytesMax = recordBytesMax;
    }

    @Override
    public @Nullable FeedRecord next() throws IOException {
        if (isRead) {
            return null;
        }
        isRead = true;
        int bytesMax = isHtml ? HtmlText.BYTES_MAX : recordBytesMax;
        byte[] bytes = in.readNBytes(bytesMax + 1);
        if (bytes.length > bytesMax) {
            skipped.add(Skip.TOO_LARGE, source, 1, 0, "expected at most " + bytesMax + " bytes, found more");
            return null;
        }
        RecordJson json = new RecordJson().put(RecordJson.ID, source);
        try {
            put(json, bytes);
        } catch (HtmlBoundException e) {
            skipped.add(Skip.of(e), source, 1, 0, String.valueOf(e.getMessage()));
            return null;
        }
        return json.record(source, 1, recordBytesMax);
    }

    private void put(RecordJson json, byte[] bytes) throws HtmlBoundException {
        if (isHtml) {
            json.putPage(bytes, null);
        } else {
            Charset marked = Charsets.utf16(bytes);
            String text = marked != null ? new String(bytes, marked) : Charsets.decode(bytes, null);
            json.put(RecordJson.TEXT, text.startsWith("\ufeff") ? text.substring(1) : text);
        }
    }

    @Override
    public long number() {
        return 1;
    }
}
