package io.neardup.feed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.neardup.document.Printable;
import io.neardup.feed.NewsItem.EntityException;
import io.neardup.html.HtmlBoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLStreamException;
import org.jsoup.parser.Parser;
import org.jspecify.annotations.Nullable;

/** The items of RSS and the entries of Atom. */
final class NewsReader implements FormatReader {
    private static final Pattern ENCODING = Pattern.compile("<\\?xml[^>]*encoding\\s*=\\s*[\"']([\\w.:-]{1,40})[\"']");

    private static final Pattern TITLE =
            Pattern.compile("<(?:\\w+:)?title[^>]*>\\s*(?:<!\\[CDATA\\[)?(.*?)(?:]]>\\s*)?</", Pattern.DOTALL);

    private static final int FOUND_LENGTH_MAX = 200;

    private final String source;
    private final NewsItems items;
    private final SkippedParts skipped;
    private final int recordBytesMax;
    private final boolean isTranscoded;
    private long number;
    private @Nullable Charset charset;
    private String title = "";

    /** @param isTranscoded whether the bytes are UTF-8 whatever they say */
    NewsReader(String source, InputStream in, boolean isTranscoded, SkippedParts skipped, int recordBytesMax) {
        this.source = source;
        this.items = new NewsItems(in);
        this.isTranscoded = isTranscoded;
        this.skipped = skipped;
        this.recordBytesMax = recordBytesMax;
    }

    @Override
    public @Nullable FeedRecord next() throws IOException {
        FeedRecord record = null;
        NewsItems.End end = NewsItems.End.CLOSED;
        while (record == null && end != NewsItems.End.NONE) {
            end = items.advance();
            if (end != NewsItems.End.NONE) {
                number++;
                record = record(end);
            }
        }
        return record;
    }

    @Override
    public long number() {
        return number;
    }

    private @Nullable FeedRecord record(NewsItems.End end) {
        if (number == 1) {
            readHead();
        }
        if (end == NewsItems.End.CUT) {
            skip(Skip.TRUNCATED, "expected the end tag of the item, found none");
            items.lookInside();
            return null;
        }
        if (end == NewsItems.End.TOO_LARGE) {
            skip(Skip.TOO_LARGE, "expected at most " + NewsItems.ITEM_BYTES_MAX + " bytes, found more");
            return null;
        }
        try {
            return NewsItem.read(Charsets.decode(items.bytes(), charset))
                    .put(RecordJson.SOURCE, title)
                    .record(source, number, recordBytesMax);
        } catch (EntityException e) {
            skip(Skip.ENTITY, String.valueOf(e.getMessage()));
        } catch (HtmlBoundException e) {
            skip(Skip.of(e), String.valueOf(e.getMessage()));
        } catch (XMLStreamException e) {
            skip(Skip.BROKEN, "its XML is not well-formed" + found(e));
            items.lookInside();
        }
        return null;
    }

    /** At which line of the item, and what; the parser's message has that in its last line. */
    private static String found(XMLStreamException e) {
        String message = String.valueOf(e.getMessage()).strip();
        String last = message.substring(message.lastIndexOf('\n') + 1).replaceFirst("^Message: ", "");
        String line =
                e.getLocation() == null ? "" : " at line " + e.getLocation().getLineNumber() + " of the item";
        return line + ": " + Printable.of(last.substring(0, Math.min(last.length(), FOUND_LENGTH_MAX)));
    }

    private void skip(Skip skip, String found) {
        skipped.add(skip, source, number, items.offset(), found);
    }

    private void readHead() {
        byte[] head = items.head();
        if (!isTranscoded) {
            Matcher encoding = ENCODING.matcher(new String(head, ISO_8859_1));
            charset = encoding.find() ? Charsets.ofBytes(encoding.group(1)) : null;
        }
        Matcher found = TITLE.matcher(Charsets.decode(head, charset));
        title = found.find() ? Parser.unescapeEntities(found.group(1), false).strip() : "";
    }
}
