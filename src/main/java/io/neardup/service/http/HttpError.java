package io.neardup.service.http;

import java.util.Locale;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * What is answered in place of what was asked for: a status, a code that stays, and for people a sentence of what was
 * expected and what was found. {@code openapi.yaml} lists them.
 */
enum HttpError {
    BAD_REQUEST(HttpStatus.BAD_REQUEST_400),
    QUERY(HttpStatus.BAD_REQUEST_400),
    /** A document that would be a dead letter, with the code of its reason; or a malformed record header. */
    REJECTED(HttpStatus.BAD_REQUEST_400),
    NO_TOKEN(HttpStatus.UNAUTHORIZED_401),
    FOREIGN_ORIGIN(HttpStatus.FORBIDDEN_403),
    NOT_FOUND(HttpStatus.NOT_FOUND_404),
    NO_STORY(HttpStatus.NOT_FOUND_404),
    METHOD(HttpStatus.METHOD_NOT_ALLOWED_405),
    LATE_BODY(HttpStatus.REQUEST_TIMEOUT_408),
    TOO_LARGE(HttpStatus.PAYLOAD_TOO_LARGE_413),
    CONTENT_TYPE(HttpStatus.UNSUPPORTED_MEDIA_TYPE_415),
    CONTENT_ENCODING(HttpStatus.UNSUPPORTED_MEDIA_TYPE_415),
    FOREIGN_HOST(HttpStatus.MISDIRECTED_REQUEST_421),
    BUSY(HttpStatus.TOO_MANY_REQUESTS_429),
    HEAD_TOO_LARGE(HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431),
    INTERNAL(HttpStatus.INTERNAL_SERVER_ERROR_500),
    STARTING(HttpStatus.SERVICE_UNAVAILABLE_503),
    FAILED(HttpStatus.SERVICE_UNAVAILABLE_503),
    TIMEOUT(HttpStatus.GATEWAY_TIMEOUT_504);

    private final int status;

    HttpError(int status) {
        this.status = status;
    }

    private record Body(String code, String error) {}

    /** Lower case, words joined by hyphens. */
    String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Answers with it; returns true, as handlers do that have answered.
     *
     * @param error what was expected and what was found, and nothing of the request that a log may not have
     */
    boolean send(Response response, Callback callback, String error) {
        return send(response, callback, code(), error);
    }

    boolean send(Response response, Callback callback, String code, String error) {
        return HttpReply.json(response, callback, status, new Body(code, error));
    }

    /** Answers while there is no service yet. */
    static boolean sendStarting(Response response, Callback callback) {
        return STARTING.send(response, callback, "expected a service that runs, found one that starts; ask again");
    }

    /**
     * Answers what Jetty itself refuses, before or behind our handlers.
     *
     * @param bodyBytes how many a request may have
     * @param headBytes of its first line and headers, likewise
     */
    static void sendForJetty(
            Response response, Callback callback, int status, long foundBytes, int bodyBytes, int headBytes) {
        HttpError error =
                switch (status) {
                    case HttpStatus.NOT_FOUND_404 -> NOT_FOUND;
                    case HttpStatus.PAYLOAD_TOO_LARGE_413 -> TOO_LARGE;
                    case HttpStatus.URI_TOO_LONG_414, HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431 -> HEAD_TOO_LARGE;
                    default -> isOfTheRequest(status) ? BAD_REQUEST : INTERNAL;
                };
        String expected =
                switch (error) {
                    case NOT_FOUND -> "expected an address that is answered here, found another";
                    case TOO_LARGE ->
                        "expected a body of at most " + bodyBytes + " bytes (64 KB, or neardup.document.bytes.max where"
                                + " documents are checked and that is more), found "
                                + (foundBytes < 0 ? "more" : foundBytes);
                    case HEAD_TOO_LARGE ->
                        "expected at most " + headBytes + " bytes of address and headers, found more";
                    default -> "expected a request that can be answered, found: " + HttpStatus.getMessage(status);
                };
        HttpReply.json(response, callback, status, new Body(error.code(), expected));
    }

    private static boolean isOfTheRequest(int status) {
        return status < HttpStatus.INTERNAL_SERVER_ERROR_500 || status == HttpStatus.HTTP_VERSION_NOT_SUPPORTED_505;
    }
}
