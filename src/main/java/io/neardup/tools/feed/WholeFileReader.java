package io.neardup.tools.feed;

import io.neardup.engine.text.HtmlBoundException;
import io.neardup.engine.text.HtmlText;
import java.io.IOException;
import java.io.InputStream;
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
    FeedRecord read() throws IOException, SkippedException, HtmlBoundException {
        if (number > 1) {
            return null;
        }
        int bytesMax = isHtml ? HtmlText.BYTES_MAX : recordBytesMax;
        byte[] bytes = in.readNBytes(bytesMax + 1);
        if (bytes.length > bytesMax) {
            throw new SkippedException(Skip.TOO_LARGE, "expected at most " + bytesMax + " bytes, found more");
        }
        RecordJson json = new RecordJson().put(RecordJson.ID, source);
        return record(
                isHtml ? json.putPage(bytes, null) : json.put(RecordJson.TEXT, Charsets.decodeWhole(bytes, null)));
    }
}
