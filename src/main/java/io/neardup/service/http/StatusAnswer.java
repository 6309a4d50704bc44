package io.neardup.service.http;

import io.neardup.service.lifecycle.DedupService;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers with all figures of this instance, and with those of the whole group. */
final class StatusAnswer extends Handler.Abstract {
    static final String PATH = "/api/status";

    private final Supplier<Optional<DedupService>> service;

    StatusAnswer(Supplier<Optional<DedupService>> service) {
        this.service = service;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        return HttpReply.json(response, callback, HttpStatus.OK_200, Figures.status(service.get()));
    }
}
