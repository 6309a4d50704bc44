package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.neardup.engine.text.HtmlBoundException;
import io.neardup.record.Printable;
import io.neardup.tools.feed.NewsItem.EntityException;
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
    private static final String DECLARATION = "<?xml";
    private static final String CDATA = "<![CDATA[";
    private static final String CDATA_END = "]]>";
    private static final Pattern ENCODING = Pattern.compile("encoding\\s*+=\\s*+[\"']([\\w.:-]{1,40})[\"']");
    private static final Pattern TITLE = Pattern.compile("<(?:\\w++:)?title");

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
            charset = encoding(new String(head, ISO_8859_1));
        }
        title = Parser.unescapeEntities(title(Charsets.decode(head, charset)), false)
                .strip();
    }

    private static @Nullable Charset encoding(String head) {
        int start = head.indexOf(DECLARATION);
        int end = head.indexOf('>', start);
        if (start < 0 || end < 0) {
            return null;
        }
        Matcher encoding = ENCODING.matcher(head).region(start, end);
        return encoding.find() ? Charsets.ofBytes(encoding.group(1)) : null;
    }

    /** The first one. Not by a single pattern: it would go over the rest of the head at each tag that does not end. */
    private static String title(String head) {
        Matcher tag = TITLE.matcher(head);
        int start = tag.find() ? head.indexOf('>', tag.end()) + 1 : 0;
        int end = start > 0 ? head.indexOf("</", start) : -1;
        String text = end < 0 ? "" : head.substring(start, end).strip();
        return text.startsWith(CDATA)
                ? text.substring(CDATA.length(), text.length() - (text.endsWith(CDATA_END) ? CDATA_END.length() : 0))
                : text;
    }
}
