package io.neardup.tools.feed;

import io.neardup.engine.text.HtmlBoundException;
import io.neardup.engine.text.HtmlText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import org.jspecify.annotations.Nullable;

/** A file that is one document: a page, or a plain text. Its name is the id. */
final class WholeFileReader extends FormatReader {
    private final InputStream in;
    private final boolean isHtml;

    WholeFileReader(String source, InputStream in, boolean isHtml, Skipped skipped, int recordBytesMax) {
        super(source, skipped, recordBytesMax);
        this.in = in;
        this.isHtml = isHtml;
    }

    @Override
    @Nullable
    FeedRecord next() throws IOException {
        if (number > 0) {
            return null;
        }
        number++;
        int bytesMax = isHtml ? HtmlText.BYTES_MAX : recordBytesMax;
        byte[] bytes = in.readNBytes(bytesMax + 1);
        if (bytes.length > bytesMax) {
            skip(Skip.TOO_LARGE, 0, "expected at most " + bytesMax + " bytes, found more");
            return null;
        }
        RecordJson json = new RecordJson().put(RecordJson.ID, source);
        try {
            put(json, bytes);
        } catch (HtmlBoundException e) {
            skip(Skip.of(e), 0, String.valueOf(e.getMessage()));
            return null;
        }
        return record(json);
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
}
