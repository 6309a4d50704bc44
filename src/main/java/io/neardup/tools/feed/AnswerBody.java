package io.neardup.tools.feed;

import io.neardup.tools.feed.CrawlReader.SkippedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.netpreserve.jwarc.DecodedBody;
import org.netpreserve.jwarc.HttpResponse;
import org.netpreserve.jwarc.MessageHeaders;

/**
 * What an HTTP answer carries, without chunks and content encoding. Crawlers often keep headers that the kept body does
 * not fit any more: so what is not chunked or encoded is taken as it is. What the server broke off is taken as far as
 * it goes.
 */
final class AnswerBody {
    /** A body is unpacked to so many bytes at most. */
    static final int BYTES_MAX = CrawlReader.BLOCK_BYTES_MAX;

    /** Of one body, each within another: servers apply one, and a proxy may add its own. */
    private static final int ENCODINGS_MAX = 4;

    private static final int BUFFER_LENGTH = 1 << 13;

    private AnswerBody() {}

    /** @param block the bytes that the answer was parsed from */
    static byte[] of(HttpResponse answer, byte[] block) throws SkippedException {
        MessageHeaders headers = answer.headers();
        byte[] body = Arrays.copyOfRange(block, Math.min(block.length, answer.serializeHeader().length), block.length);
        byte[] whole = headers.contains("Transfer-Encoding", "chunked") ? unchunked(answer, body) : body;
        List<DecodedBody.Encoding> encodings = encodings(headers);
        Collections.reverse(encodings);
        for (DecodedBody.Encoding encoding : encodings) {
            whole = decoded(whole, encoding);
        }
        return whole;
    }

    /** In the order in which they were applied. */
    private static List<DecodedBody.Encoding> encodings(MessageHeaders headers) throws SkippedException {
        List<DecodedBody.Encoding> encodings = new ArrayList<>();
        for (String value : headers.all("Content-Encoding")) {
            for (String token : value.split(",", -1)) {
                DecodedBody.Encoding encoding = encoding(token.strip().toLowerCase(Locale.ROOT));
                if (encoding != null) {
                    encodings.add(encoding);
                }
            }
        }
        if (encodings.size() > ENCODINGS_MAX) {
            throw new SkippedException(
                    Skip.ENCODING,
                    "expected at most " + ENCODINGS_MAX + " content encodings, found " + encodings.size());
        }
        return encodings;
    }

    private static byte[] unchunked(HttpResponse answer, byte[] body) throws SkippedException {
        ByteArrayOutputStream found = new ByteArrayOutputStream();
        try {
            copy(answer.body(), found);
        } catch (IOException e) {
            return found.size() > 0 ? found.toByteArray() : body;
        }
        return found.toByteArray();
    }

    private static byte[] decoded(byte[] body, DecodedBody.Encoding encoding) throws SkippedException {
        if (body.length == 0) {
            return body;
        }
        ByteArrayOutputStream found = new ByteArrayOutputStream();
        try {
            decode(body, encoding, found);
        } catch (IOException e) {
            if (found.size() > 0) {
                return found.toByteArray();
            }
            if (Charsets.isUtf8(body) || CapturedPages.looksLikeHtml(body)) {
                return body;
            }
            throw new SkippedException(Skip.ENCODING, "expected the content encoding " + encoding + ", found none");
        }
        return found.toByteArray();
    }

    /** Gzip of our own also gives what lies before a damage. */
    private static void decode(byte[] body, DecodedBody.Encoding encoding, ByteArrayOutputStream found)
            throws IOException, SkippedException {
        if (encoding == DecodedBody.Encoding.GZIP) {
            GzipMembers members = new GzipMembers(new ByteArrayInputStream(body));
            try {
                copy(members, found);
            } finally {
                members.close();
            }
        } else {
            try (ReadableByteChannel channel = DecodedBody.create(channel(body), encoding)) {
                copy(channel, found);
            }
        }
    }

    private static void copy(GzipMembers members, ByteArrayOutputStream into) throws IOException, SkippedException {
        byte[] buffer = new byte[BUFFER_LENGTH];
        for (int count = members.read(buffer, 0, BUFFER_LENGTH);
                count >= 0;
                count = members.read(buffer, 0, BUFFER_LENGTH)) {
            into.write(buffer, 0, count);
            checkSize(into);
        }
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

    private static ReadableByteChannel channel(byte[] bytes) {
        return Channels.newChannel(new ByteArrayInputStream(bytes));
    }

    private static void copy(ReadableByteChannel channel, ByteArrayOutputStream into)
            throws IOException, SkippedException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_LENGTH);
        while (channel.read(buffer) >= 0) {
            into.write(buffer.array(), 0, buffer.position());
            buffer.clear();
            checkSize(into);
        }
    }

    private static void checkSize(ByteArrayOutputStream unpacked) throws SkippedException {
        if (unpacked.size() > BYTES_MAX) {
            throw new SkippedException(
                    Skip.EXPANSION, "expected to unpack to at most " + BYTES_MAX + " bytes, found more");
        }
    }
}
