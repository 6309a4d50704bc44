package io.neardup.service.http;

import io.neardup.config.ConfigurationException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Lets pass only what is meant for this service. A page from elsewhere can point a name of its own to this machine,
 * so that a browser takes it for one of ours: its requests name another host, or another origin. Nothing here takes
 * parameters, and a token in an address would be in every log on the way: requests with a query are refused. Where
 * there is a token, only requests that bring it pass, and those for what reveals nothing.
 */
final class RequestFilter extends Handler.Wrapper {
    private static final Pattern ADDRESS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-f:.]{2,45}]");

    private static final List<String> READING = List.of(HttpMethod.GET.asString(), HttpMethod.HEAD.asString());
    private static final List<String> QUESTION = List.of(HttpMethod.POST.asString());

    private final Set<String> hosts;
    private final Optional<BearerToken> token;
    private final Set<String> open;

    /**
     * @param hosts names under which clients may come; addresses may anyway
     * @param token if one is needed
     * @param open paths that need none
     */
    RequestFilter(List<String> hosts, Optional<BearerToken> token, Set<String> open, Handler handler) {
        super(handler);
        this.hosts = Stream.concat(Stream.of("localhost"), hosts.stream())
                .map(host -> host.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
        this.token = token;
        this.open = Set.copyOf(open);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!isOurs(host(request))) {
            return HttpError.FOREIGN_HOST.send(
                    response,
                    callback,
                    "Host: expected an IP address, localhost, or a name of neardup.http.hosts, found another");
        }
        if (!isSameOrigin(request)) {
            return HttpError.FOREIGN_ORIGIN.send(
                    response, callback, "Origin: expected none but that of this page, found another");
        }
        if (request.getHttpURI().getQuery() != null) {
            return HttpError.QUERY.send(
                    response,
                    callback,
                    "address: expected no query, found one; a token goes into the header Authorization");
        }
        String path = Request.getPathInContext(request);
        List<String> allowed = path.equals(CheckEndpoint.PATH) ? QUESTION : READING;
        if (!allowed.contains(request.getMethod())) {
            String methods = String.join(", ", allowed);
            response.getHeaders().put(HttpHeader.ALLOW, methods);
            return HttpError.METHOD.send(response, callback, "method: expected " + methods + ", found another");
        }
        if (!open.contains(path) && !bringsToken(request)) {
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
            return HttpError.NO_TOKEN.send(
                    response, callback, "Authorization: expected Bearer and the token of this service, found no such");
        }
        return super.handle(request, response, callback);
    }

    private boolean isOurs(String host) {
        return hosts.contains(host) || ADDRESS.matcher(host).matches();
    }

    /** Without the port: a tunnel may have another. */
    private static String host(Request request) {
        @Nullable String host = request.getHttpURI().getHost();
        return host == null ? "" : host.toLowerCase(Locale.ROOT);
    }

    /** Browsers send the origin of the page that asks; a proxy may have taken TLS off. */
    private static boolean isSameOrigin(Request request) {
        @Nullable String origin = request.getHeaders().get(HttpHeader.ORIGIN);
        @Nullable String host = request.getHeaders().get(HttpHeader.HOST);
        return origin == null
                || (host != null
                        && (origin.equalsIgnoreCase("http://" + host) || origin.equalsIgnoreCase("https://" + host)));
    }

    private boolean bringsToken(Request request) {
        return token.isEmpty() || token.get().isIn(request.getHeaders().get(HttpHeader.AUTHORIZATION));
    }

    /** The token that requests must bring. Only a digest of it is kept. */
    static final class BearerToken {
        private static final String KEY = "neardup.http.token.file";
        private static final String SCHEME = "Bearer ";
        private static final int BYTES_MAX = 1_024;
        private static final Pattern FORM = Pattern.compile("[!-~]{16,512}");

        private final byte[] digest;

        private BearerToken(String token) {
            this.digest = digest(token);
        }

        /**
         * Reads the token from a file; white space around it does not count.
         *
         * @throws ConfigurationException if there is none
         */
        static BearerToken read(Path file) {
            String token = content(file).strip();
            if (!FORM.matcher(token).matches()) {
                throw problem(file, "a token of 16 to 512 visible ASCII characters", "another content");
            }
            return new BearerToken(token);
        }

        private static String content(Path file) {
            try {
                if (Files.size(file) > BYTES_MAX) {
                    throw problem(file, "at most " + BYTES_MAX + " bytes", Files.size(file) + " bytes");
                }
                return Files.readString(file, StandardCharsets.ISO_8859_1);
            } catch (IOException e) {
                throw problem(file, "a readable file", e.toString());
            }
        }

        private static ConfigurationException problem(Path file, String expected, String found) {
            return new ConfigurationException(
                    List.of(KEY + " = " + file + ": expected " + expected + ", found " + found));
        }

        /**
         * Whether a header brings it. Takes as long for a wrong one as for the right one.
         *
         * @param authorization the header; null where there is none
         */
        boolean isIn(@Nullable String authorization) {
            String written = authorization == null ? "" : authorization;
            boolean bearer = written.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
            String brought = bearer ? written.substring(SCHEME.length()) : "";
            return MessageDigest.isEqual(digest, digest(brought)) && bearer;
        }

        private static byte[] digest(String token) {
            try {
                return MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.ISO_8859_1));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("expected SHA-256, as every JDK has it", e);
            }
        }
    }
}
