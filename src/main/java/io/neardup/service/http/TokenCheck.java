package io.neardup.service.http;

import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Lets pass requests that bring the token, and those for what tells nobody anything. */
final class TokenCheck extends Handler.Wrapper {
    private final Optional<BearerToken> token;
    private final Set<String> open;

    /**
     * A check of all but some paths.
     *
     * @param token if one is needed
     * @param open paths that need none
     */
    TokenCheck(Optional<BearerToken> token, Set<String> open, Handler handler) {
        super(handler);
        this.token = token;
        this.open = Set.copyOf(open);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (open.contains(Request.getPathInContext(request)) || isAllowed(request)) {
            return super.handle(request, response, callback);
        }
        response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        return HttpReply.refuse(response, callback, HttpStatus.UNAUTHORIZED_401, "Unauthorized");
    }

    private boolean isAllowed(Request request) {
        return token.isEmpty() || token.get().isIn(request.getHeaders().get(HttpHeader.AUTHORIZATION));
    }
}
