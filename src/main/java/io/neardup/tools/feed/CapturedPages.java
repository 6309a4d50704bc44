package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import io.neardup.engine.text.HtmlBoundException;
import io.neardup.engine.text.HtmlText;
import io.neardup.record.RawText;
import io.neardup.tools.feed.FormatReader.SkippedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.apache.commons.io.function.IOSupplier;
import org.jspecify.annotations.Nullable;
import org.netpreserve.jwarc.DecodedBody;
import org.netpreserve.jwarc.HttpResponse;
import org.netpreserve.jwarc.LengthedBody;
import org.netpreserve.jwarc.MessageHeaders;

/**
 * Documents of what an archive has captured: HTTP answers, resources and texts. Crawlers often keep headers that the
 * kept body does not fit any more: so what is not chunked or encoded is taken as it is, and what the server broke off
 * as far as it goes.
 */
final class CapturedPages {
    private static final int SNIFFED_BYTES = 4096;
    private static final Set<String> HTML = Set.of("text/html", "application/xhtml+xml", "text/xhtml");
    /** What servers send that do not know it, and crawlers note that did not ask. */
    private static final Set<String> UNCERTAIN = Set.of((",application/octet-stream,application/unknown,unknown/unknown"
                    + ",content/unknown,no-type,*/*,text,html,unk")
            .split(",", -1));

    private static final int HEAD_BYTES_MAX = 1 << 16;

    static final int BODY_BYTES_MAX = CrawlReader.BLOCK_BYTES_MAX;

    /** Of one body, each within another: servers apply one, and a proxy may add its own. */
    private static final int ENCODINGS_MAX = 4;

    private static final int BUFFER_LENGTH = 1 << 13;

    private static final Pattern HEAD_END = Pattern.compile("\n\r?\n");

    // Possessive, as these go over what strangers wrote: nothing is tried twice.
    private static final Pattern CHARSET =
            Pattern.compile("charset\\s*+=\\s*+[\"']?+\\s*+([^\"';\\s]++)", Pattern.CASE_INSENSITIVE);

    private static final Pattern HOST = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*+://(?:[^/?#@]*+@)?([^/?#:]++)");

    private CapturedPages() {}

    /** @param block its content, whole */
    static RecordJson record(MessageHeaders headers, byte[] block) throws SkippedException, HtmlBoundException {
        String url = unbracketed(header(headers, "WARC-Target-URI"));
        String date = header(headers, "WARC-Date");
        String id = unbracketed(header(headers, "WARC-Record-ID"));
        RecordJson json = new RecordJson()
                .put(RecordJson.ID, id.isEmpty() && !url.isEmpty() ? date + "/" + url : id)
                .put(RecordJson.URL, url);
        String type = header(headers, "Content-Type");
        if (bare(type).equals("application/http")) {
            putAnswer(json, block);
        } else {
            putText(json, block, type);
        }
        return json.put(RecordJson.DATE, date).put(RecordJson.SOURCE, host(url));
    }

    private static String header(MessageHeaders headers, String name) {
        return headers.first(name).map(String::strip).orElse("");
    }

    private static void putAnswer(RecordJson json, byte[] block) throws SkippedException, HtmlBoundException {
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
        String bare = bare(type);
        if (!HTML.contains(bare) && !bare.equals("text/plain") && !UNCERTAIN.contains(bare)) {
            throw new SkippedException(Skip.NOT_TEXT, "");
        }
        putText(json, body(answer, block), type);
    }

    /** Null if the block does not begin with one. */
    private static @Nullable HttpResponse answer(byte[] block) throws SkippedException {
        String head = new String(block, 0, Math.min(block.length, HEAD_BYTES_MAX + 1), ISO_8859_1);
        if (head.length() > HEAD_BYTES_MAX
                && head.startsWith("HTTP/")
                && !HEAD_END.matcher(head).find()) {
            throw new SkippedException(
                    Skip.BROKEN, "expected at most " + HEAD_BYTES_MAX + " bytes of HTTP headers, found more");
        }
        try {
            return HttpResponse.parse(LengthedBody.create(
                    Channels.newChannel(InputStream.nullInputStream()), ByteBuffer.wrap(block), block.length));
        } catch (IOException | IllegalArgumentException e) {
            // The latter as for a length that is no number.
            return null;
        }
    }

    /** Without chunks and content encodings. */
    private static byte[] body(HttpResponse answer, byte[] block) throws SkippedException {
        int start = Math.min(block.length, answer.serializeHeader().length);
        byte[] body = Arrays.copyOfRange(block, start, block.length);
        if (answer.headers().contains("Transfer-Encoding", "chunked")) {
            byte[] whole = read(answer::body);
            body = whole == null ? body : whole;
        }
        for (DecodedBody.Encoding encoding : encodings(answer.headers())) {
            byte[] packed = body;
            byte[] whole = packed.length == 0 ? packed : read(() -> decoded(packed, encoding));
            if (whole == null && RawText.firstMalformed(packed) >= 0 && !looksLikeHtml(packed)) {
                throw new SkippedException(Skip.ENCODING, "expected the content encoding " + encoding + ", found none");
            }
            body = whole == null ? packed : whole;
        }
        return body;
    }

    /** The last that was applied first. jwarc itself undoes one alone. */
    private static List<DecodedBody.Encoding> encodings(MessageHeaders headers) throws SkippedException {
        List<DecodedBody.Encoding> encodings = new ArrayList<>();
        for (String token : String.join(",", headers.all("Content-Encoding")).split(",", -1)) {
            DecodedBody.Encoding encoding = encoding(token.strip().toLowerCase(Locale.ROOT));
            if (encoding != null) {
                encodings.add(encoding);
            }
        }
        if (encodings.size() > ENCODINGS_MAX) {
            throw new SkippedException(
                    Skip.ENCODING,
                    "expected at most " + ENCODINGS_MAX + " content encodings, found " + encodings.size());
        }
        Collections.reverse(encodings);
        return encodings;
    }

    private static DecodedBody.@Nullable Encoding encoding(String name) throws SkippedException {
        return switch (name) {
            case "", "identity", "none", "utf-8", "chunked" -> null;
            case "gzip", "x-gzip" -> DecodedBody.Encoding.GZIP;
            case "deflate" -> DecodedBody.Encoding.DEFLATE;
            case "br" -> DecodedBody.Encoding.BROTLI;
            case "zstd" -> DecodedBody.Encoding.ZSTD;
            default ->
                throw new SkippedException(
                        Skip.ENCODING, "expected the content encoding gzip, deflate, br or zstd, found another");
        };
    }

    /** jwarc's own of deflate and zstd (0.36.0) go on for ever at an end, and know no deflate with a header. */
    private static ReadableByteChannel decoded(byte[] packed, DecodedBody.Encoding encoding) throws IOException {
        InputStream in = new ByteArrayInputStream(packed);
        return switch (encoding) {
            case DEFLATE -> Channels.newChannel(inflated(in, packed));
            case ZSTD -> Channels.newChannel(new ZstdInputStreamNoFinalizer(in));
            default -> DecodedBody.create(Channels.newChannel(in), encoding);
        };
    }

    /** Zlib (RFC 1950), as the encoding has it (RFC 9110, 8.4.1.2), or deflate alone, which servers also send. */
    private static InputStream inflated(InputStream in, byte[] packed) {
        boolean isZlib = packed.length > 1
                && (packed[0] & 0x0f) == Deflater.DEFLATED
                && ((packed[0] & 0xff) << Byte.SIZE | (packed[1] & 0xff)) % 31 == 0;
        Inflater inflater = new Inflater(!isZlib);
        return new InflaterInputStream(in, inflater) {
            @Override
            public void close() throws IOException {
                super.close();
                inflater.end();
            }
        };
    }

    /** As far as it goes; null if it is broken from its first byte on. */
    private static byte @Nullable [] read(IOSupplier<ReadableByteChannel> body) throws SkippedException {
        ByteArrayOutputStream found = new ByteArrayOutputStream();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_LENGTH);
        try (ReadableByteChannel channel = body.get()) {
            while (channel.read(buffer) >= 0) {
                found.write(buffer.array(), 0, buffer.position());
                buffer.clear();
                if (found.size() > BODY_BYTES_MAX) {
                    throw new SkippedException(
                            Skip.EXPANSION, "expected to unpack to at most " + BODY_BYTES_MAX + " bytes, found more");
                }
            }
        } catch (IOException | IllegalArgumentException e) {
            // jwarc throws the latter where a gzip header has a false length.
            found.write(buffer.array(), 0, buffer.position());
            return found.size() == 0 ? null : found.toByteArray();
        }
        return found.toByteArray();
    }

    private static void putText(RecordJson json, byte[] body, String type) throws SkippedException, HtmlBoundException {
        String bare = bare(type);
        boolean isHtml = HTML.contains(bare) || (UNCERTAIN.contains(bare) && looksLikeHtml(body));
        if (!isHtml && !bare.equals("text/plain") && !(UNCERTAIN.contains(bare) && RawText.firstMalformed(body) < 0)) {
            throw new SkippedException(Skip.NOT_TEXT, "");
        }
        if (isHtml && body.length > HtmlText.BYTES_MAX) {
            throw new SkippedException(
                    Skip.TOO_LARGE, "expected at most " + HtmlText.BYTES_MAX + " bytes of HTML, found " + body.length);
        }
        if (isHtml) {
            json.putPage(body, charset(type));
        } else {
            json.put(RecordJson.TEXT, Charsets.decodeWhole(body, charset(type)));
        }
    }

    private static boolean looksLikeHtml(byte[] body) {
        byte[] head = Arrays.copyOf(body, Math.min(SNIFFED_BYTES, body.length));
        return FeedFormat.detect(head, false, "", false) == FeedFormat.HTML;
    }

    private static @Nullable Charset charset(String type) {
        Matcher matcher = CHARSET.matcher(type);
        return matcher.find() ? Charsets.of(matcher.group(1)) : null;
    }

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
