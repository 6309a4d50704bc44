package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.neardup.engine.text.HtmlBoundException;
import io.neardup.engine.text.HtmlText;
import io.neardup.engine.text.HtmlText.Extract;
import java.nio.charset.Charset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Puts title and text of a page into a record. */
final class PageJson {
    private static final int META_BYTES = 4096;
    private static final String MARK = "\uFEFF";
    private static final Pattern CHARSET = Pattern.compile(
            "<(?:meta|\\?xml)[^>]{0,200}?(?:charset|encoding)\\s*+=\\s*+[\"']?+\\s*+([\\w.:-]{1,40})",
            Pattern.CASE_INSENSITIVE);

    private PageJson() {}

    /** @param said the encoding that a server named, if it did; it goes over what the page says */
    static void put(RecordJson json, byte[] html, @Nullable Charset said) throws HtmlBoundException {
        String decoded = decode(html, said);
        // It would be text of the body, and the head would be over.
        Extract page = HtmlText.of(decoded.startsWith(MARK) ? decoded.substring(1) : decoded);
        json.put(RecordJson.TITLE, page.title()).put(RecordJson.TEXT, page.text());
    }

    private static String decode(byte[] html, @Nullable Charset said) {
        Charset marked = Utf16.mark(html);
        if (marked != null) {
            return new String(html, marked);
        }
        return Charsets.decode(html, said != null ? said : inside(html));
    }

    private static @Nullable Charset inside(byte[] html) {
        String start = new String(html, 0, Math.min(META_BYTES, html.length), ISO_8859_1);
        Matcher matcher = CHARSET.matcher(start);
        return matcher.find() ? Charsets.ofBytes(matcher.group(1)) : null;
    }
}
