package io.neardup.service.lifecycle;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.neardup.record.RecordHeader;
import io.neardup.service.lifecycle.DocumentChecks.CheckException;
import io.neardup.service.lifecycle.DocumentChecks.CheckException.Cause;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * A header of the record that a document would come in, as it is asked about over HTTP: {@code name=value}, each
 * percent-encoded as in an address (RFC 3986) where it is not a letter, a digit or one of {@code -._~}.
 */
public final class AskedHeader {
    /** The name of the header of a request that one is the value of. */
    public static final String HTTP_HEADER = "Neardup-Record-Header";

    private static final String UNRESERVED = "-._~";

    private AskedHeader() {}

    /** Writes one; its value must not be null. */
    public static String encode(String name, byte[] value) {
        return encode(name.getBytes(StandardCharsets.UTF_8)) + "=" + encode(value);
    }

    private static String encode(byte[] bytes) {
        StringBuilder encoded = new StringBuilder();
        for (byte b : bytes) {
            boolean isPlain = b > 0 && (Character.isLetterOrDigit(b) || UNRESERVED.indexOf(b) >= 0);
            encoded.append(isPlain ? String.valueOf((char) b) : "%%%02X".formatted(b));
        }
        return encoded.toString();
    }

    /**
     * Reads one.
     *
     * @throws CheckException if it has not this form
     */
    static RecordHeader decode(String encoded) throws CheckException {
        int equals = encoded.indexOf('=');
        if (equals < 1) {
            throw wrong();
        }
        String name = new String(bytes(encoded.substring(0, equals)), StandardCharsets.UTF_8);
        return new RecordHeader(name, bytes(encoded.substring(equals + 1)));
    }

    private static byte[] bytes(String encoded) throws CheckException {
        byte[] chars = encoded.getBytes(ISO_8859_1);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int at = 0;
        while (at < chars.length) {
            bytes.write(chars[at] == '%' ? escaped(chars, at + 1) : chars[at]);
            at += chars[at] == '%' ? 3 : 1;
        }
        return bytes.toByteArray();
    }

    private static int escaped(byte[] chars, int at) throws CheckException {
        int high = at + 1 < chars.length ? Character.digit(chars[at], 16) : -1;
        int low = high < 0 ? -1 : Character.digit(chars[at + 1], 16);
        if (low < 0) {
            throw wrong();
        }
        return high << 4 | low;
    }

    private static CheckException wrong() {
        return new CheckException(
                Cause.REJECTED, "", "expected a record's header as name=value, percent-encoded, found something else");
    }
}
