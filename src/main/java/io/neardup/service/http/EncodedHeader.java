package io.neardup.service.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.record.RecordHeader;
import io.neardup.service.lifecycle.DocumentChecks.CheckException;
import io.neardup.service.lifecycle.DocumentChecks.CheckException.Kind;
import java.net.URLDecoder;
import java.net.URLEncoder;

/**
 * A header of the record that a document would come in, as a header of an HTTP request has it: {@code name=value}, each
 * percent-encoded as in an address.
 */
public final class EncodedHeader {
    /** The name of the header of a request that one is the value of. */
    public static final String HTTP_HEADER = "Neardup-Record-Header";

    private EncodedHeader() {}

    /** Writes one; its value must not be null. */
    public static String encode(String name, byte[] value) {
        return encode(name.getBytes(UTF_8)) + "=" + encode(value);
    }

    /** A byte a character, as values need be no text. */
    private static String encode(byte[] bytes) {
        return URLEncoder.encode(new String(bytes, ISO_8859_1), ISO_8859_1).replace("+", "%20");
    }

    /**
     * Reads one.
     *
     * @throws CheckException if it has not this form
     */
    static RecordHeader decode(String encoded) throws CheckException {
        int equals = encoded.indexOf('=');
        try {
            String name = new String(bytes(encoded.substring(0, Math.max(0, equals))), UTF_8);
            if (!name.isEmpty()) {
                return new RecordHeader(name, bytes(encoded.substring(equals + 1)));
            }
        } catch (IllegalArgumentException e) {
            // Reported below.
        }
        throw new CheckException(
                Kind.REJECTED,
                "record-header",
                "expected a record's header as name=value, percent-encoded, found something else");
    }

    /** A plus is none of a form's spaces. */
    private static byte[] bytes(String encoded) {
        return URLDecoder.decode(encoded.replace("+", "%2B"), ISO_8859_1).getBytes(ISO_8859_1);
    }
}
