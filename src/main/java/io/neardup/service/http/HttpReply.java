package io.neardup.service.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** What is sent: a status, a body, and what browsers are to refuse. */
final class HttpReply {
    static final String JSON = "application/json";

    /** Nothing from elsewhere, nothing in line, in no frame, and in no cache. */
    private static final HttpField[] HEADERS = {
        new PreEncodedHttpField(
                "Content-Security-Policy",
                "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';"
                        + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
        new PreEncodedHttpField("X-Content-Type-Options", "nosniff"),
        new PreEncodedHttpField("Referrer-Policy", "no-referrer"),
        new PreEncodedHttpField("Cross-Origin-Resource-Policy", "same-origin"),
        new PreEncodedHttpField("Cross-Origin-Opener-Policy", "same-origin"),
        new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-store"),
    };

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private HttpReply() {}

    /** @param body a record, by the names of its components */
    static boolean json(Response response, Callback callback, int status, Object body) {
        return send(response, callback, status, JSON, (json(body) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** All is well: the answer is a record. */
    static boolean json(Response response, Callback callback, Object body) {
        return json(response, callback, HttpStatus.OK_200, body);
    }

    /** A record as JSON in one line. */
    static String json(Object body) {
        try {
            return MAPPER.writeValueAsString(body);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("expected what can be written as JSON, found " + body.getClass(), e);
        }
    }

    /** Ends the answer; returns true, as handlers do that have answered. */
    static boolean send(Response response, Callback callback, int status, String type, byte[] body) {
        response.setStatus(status);
        HttpFields.Mutable headers = response.getHeaders();
        for (HttpField header : HEADERS) {
            headers.put(header);
        }
        headers.put(HttpHeader.CONTENT_TYPE, type);
        headers.put(HttpHeader.CONTENT_LENGTH, body.length);
        response.write(true, ByteBuffer.wrap(body), callback);
        return true;
    }
}
