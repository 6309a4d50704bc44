package io.neardup.service.http;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Lets pass only what is meant for this service. A page from elsewhere can point a name of its own to this machine,
 * so that a browser takes it for one of ours: its requests name another host, or another origin. Nothing here takes
 * parameters, and a token in an address would be in every log on the way: requests with a query are refused.
 */
final class RequestCheck extends Handler.Wrapper {
    private static final Pattern ADDRESS = Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|\\[[0-9a-f:.]{2,45}]");

    private static final List<String> READING = List.of(HttpMethod.GET.asString(), HttpMethod.HEAD.asString());
    private static final List<String> QUESTION = List.of(HttpMethod.POST.asString());

    private final Set<String> hosts;

    /** @param hosts names under which clients may come; addresses may anyway */
    RequestCheck(List<String> hosts, Handler handler) {
        super(handler);
        this.hosts = Stream.concat(Stream.of("localhost"), hosts.stream())
                .map(host -> host.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!isOurs(host(request))) {
            return HttpReply.refuse(
                    response,
                    callback,
                    HttpStatus.MISDIRECTED_REQUEST_421,
                    "Host: expected an IP address, localhost, or a name of neardup.http.hosts");
        }
        if (!isSameOrigin(request)) {
            return HttpReply.refuse(
                    response, callback, HttpStatus.FORBIDDEN_403, "Origin: expected none but that of this page");
        }
        if (request.getHttpURI().getQuery() != null) {
            return HttpReply.refuse(
                    response,
                    callback,
                    HttpStatus.BAD_REQUEST_400,
                    "address: expected no query; a token goes into the header Authorization");
        }
        boolean isQuestion = Request.getPathInContext(request).equals(CheckAnswer.PATH);
        if (!(isQuestion ? QUESTION : READING).contains(request.getMethod())) {
            String allowed = String.join(", ", isQuestion ? QUESTION : READING);
            response.getHeaders().put(HttpHeader.ALLOW, allowed);
            return HttpReply.refuse(response, callback, HttpStatus.METHOD_NOT_ALLOWED_405, "expected " + allowed);
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
}
