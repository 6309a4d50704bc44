package io.neardup.tools.feed;

import io.neardup.engine.text.HtmlBoundException;
import io.neardup.engine.text.HtmlText;
import io.neardup.tools.feed.CrawlReader.Capture;
import io.neardup.tools.feed.CrawlReader.SkippedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.Charset;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.netpreserve.jwarc.HttpResponse;
import org.netpreserve.jwarc.LengthedBody;

/** Documents of what an archive has captured: HTTP answers, resources and texts. */
final class CapturedPages {
    private static final int SNIFFED_BYTES = 4096;
    private static final Set<String> HTML = Set.of("text/html", "application/xhtml+xml", "text/xhtml");
    /** What servers send that do not know it, and crawlers note that did not ask. */
    private static final Set<String> UNCERTAIN = Set.of(
            "",
            "application/octet-stream",
            "application/unknown",
            "unknown/unknown",
            "content/unknown",
            "no-type",
            "*/*",
            "text",
            "html",
            "unk");

    /** The most bytes of the head of an HTTP answer. */
    private static final int HEAD_BYTES_MAX = 1 << 16;

    // Possessive, as these go over what strangers wrote: nothing is tried twice.
    private static final Pattern CHARSET =
            Pattern.compile("charset\\s*+=\\s*+[\"']?+\\s*+([^\"';\\s]++)", Pattern.CASE_INSENSITIVE);

    private static final Pattern HOST = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*+://(?:[^/?#@]*+@)?([^/?#:]++)");

    /**
     * The document.
     *
     * @param block the content of the archive's record, whole
     * @throws SkippedException if it is none
     */
    RecordJson record(Capture capture, byte[] block) throws SkippedException {
        String url = unbracketed(capture.header("WARC-Target-URI"));
        String date = capture.header("WARC-Date");
        String id = unbracketed(capture.header("WARC-Record-ID"));
        RecordJson json = new RecordJson()
                .put(RecordJson.ID, id.isEmpty() && !url.isEmpty() ? date + "/" + url : id)
                .put(RecordJson.URL, url);
        String type = capture.header("Content-Type");
        if (bare(type).equals("application/http")) {
            putAnswer(json, block);
        } else {
            putText(json, block, type);
        }
        return json.put(RecordJson.DATE, date).put(RecordJson.SOURCE, host(url));
    }

    private static void putAnswer(RecordJson json, byte[] block) throws SkippedException {
        HttpResponse answer = answer(block);
        if (answer == null) {
            // Before HTTP 1.0 there were no headers.
            if (!looksLikeHtml(block)) {
                throw new SkippedException(Skip.BROKEN, "expected an HTTP answer, found something else");
            }
            putText(json, block, "text/html");
            return;
        }
        if (answer.status() < 200 || answer.status() > 299) {
            throw new SkippedException(Skip.STATUS, "");
        }
        String type = answer.headers().first("Content-Type").orElse("");
        if (isText(bare(type))) {
            putText(json, AnswerBody.of(answer, block), type);
        } else {
            throw new SkippedException(Skip.NOT_TEXT, "");
        }
    }

    /** Null if the block does not begin with one. */
    private static @Nullable HttpResponse answer(byte[] block) throws SkippedException {
        try {
            HttpResponse start = answer(block, Math.min(block.length, HEAD_BYTES_MAX));
            if (block.length <= HEAD_BYTES_MAX) {
                return start;
            }
            if (start.serializeHeader().length == HEAD_BYTES_MAX) {
                throw new SkippedException(
                        Skip.BROKEN, "expected at most " + HEAD_BYTES_MAX + " bytes of HTTP headers, found more");
            }
            return answer(block, block.length);
        } catch (IOException e) {
            return null;
        }
    }

    private static HttpResponse answer(byte[] block, int length) throws IOException {
        return HttpResponse.parse(LengthedBody.create(
                Channels.newChannel(InputStream.nullInputStream()), ByteBuffer.wrap(block, 0, length), length));
    }

    private static boolean isText(String type) {
        return HTML.contains(type) || type.equals("text/plain") || UNCERTAIN.contains(type);
    }

    private static void putText(RecordJson json, byte[] body, String type) throws SkippedException {
        String bare = bare(type);
        boolean isHtml = HTML.contains(bare) || (UNCERTAIN.contains(bare) && looksLikeHtml(body));
        if (!isHtml && !bare.equals("text/plain") && !(UNCERTAIN.contains(bare) && Charsets.isUtf8(body))) {
            throw new SkippedException(Skip.NOT_TEXT, "");
        }
        if (isHtml && body.length > HtmlText.BYTES_MAX) {
            throw new SkippedException(
                    Skip.TOO_LARGE, "expected at most " + HtmlText.BYTES_MAX + " bytes of HTML, found " + body.length);
        }
        try {
            if (isHtml) {
                PageJson.put(json, body, charset(type));
            } else {
                json.put(RecordJson.TEXT, Charsets.decode(body, charset(type)));
            }
        } catch (HtmlBoundException e) {
            throw new SkippedException(Skip.of(e), String.valueOf(e.getMessage()));
        }
    }

    static boolean looksLikeHtml(byte[] body) {
        byte[] head = Arrays.copyOf(body, Math.min(SNIFFED_BYTES, body.length));
        return FeedFormat.tell(head, false, "", false) == FeedFormat.HTML;
    }

    private static @Nullable Charset charset(String type) {
        Matcher matcher = CHARSET.matcher(type);
        return matcher.find() ? Charsets.of(matcher.group(1)) : null;
    }

    /** Without parameters. */
    private static String bare(String type) {
        int end = type.indexOf(';');
        return (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    }

    private static String unbracketed(String uri) {
        return uri.startsWith("<") && uri.endsWith(">") ? uri.substring(1, uri.length() - 1) : uri;
    }

    private static String host(String url) {
        Matcher matcher = HOST.matcher(url);
        return matcher.lookingAt() ? matcher.group(1).toLowerCase(Locale.ROOT) : "";
    }
}
