package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.engine.text.HtmlBoundException;
import io.neardup.engine.text.HtmlText;
import io.neardup.engine.text.HtmlText.Extract;
import io.neardup.record.RawText;
import java.io.IOException;
import java.nio.charset.Charset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes the JSON object of a record that was none. Fields that are not known are left out. */
final class RecordJson {
    static final String ID = "id";
    static final String URL = "url";
    static final String TITLE = "title";
    static final String TEXT = "text";
    static final String DATE = "date";
    static final String SOURCE = "source";

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Pattern LONE_SURROGATE = Pattern.compile("\\p{Cs}");
    private static final int META_BYTES = 1 << 12;
    /** Of what is not UTF-8: some pages have scripts first. */
    private static final int META_BYTES_MAX = 1 << 16;

    private static final Pattern CHARSET = Pattern.compile(
            "<(?:meta|\\?xml)[^>]{0,200}?(?:charset|encoding)\\s*+=\\s*+[\"']?+\\s*+([\\w.:-]{1,40})",
            Pattern.CASE_INSENSITIVE);

    private final Map<String, Object> fields = new LinkedHashMap<>();

    /** Null and empty values are left out; the first of a name counts. */
    RecordJson put(String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            fields.putIfAbsent(wellFormed(name), wellFormed(value));
        }
        return this;
    }

    RecordJson put(String name, List<String> values) {
        if (!values.isEmpty()) {
            fields.putIfAbsent(name, values.stream().map(RecordJson::wellFormed).toList());
        }
        return this;
    }

    /** Title and text of a page; an encoding that a server has said goes over what the page says. */
    RecordJson putPage(byte[] html, @Nullable Charset said) throws HtmlBoundException {
        // A mark would be text of the body, and the head would be over.
        Extract page = HtmlText.of(Charsets.decodeWhole(html, said != null ? said : inside(html)));
        return put(TITLE, page.title()).put(TEXT, page.text());
    }

    private static @Nullable Charset inside(byte[] html) {
        int looked = RawText.firstMalformed(html) < 0 ? META_BYTES : META_BYTES_MAX;
        Matcher matcher = CHARSET.matcher(new String(html, 0, Math.min(looked, html.length), ISO_8859_1));
        return matcher.find() ? Charsets.ofBytes(matcher.group(1)) : null;
    }

    byte[] bytes() throws IOException {
        return JSON.writeValueAsBytes(fields);
    }

    /** No lone surrogates: JSON with one is refused by the service. */
    private static String wellFormed(String text) {
        return LONE_SURROGATE.matcher(text).replaceAll("\ufffd");
    }
}
