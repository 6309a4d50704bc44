package io.neardup.service.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.neardup.engine.protocol.Check.CheckResult;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.similarity.Similarity;
import io.neardup.record.RecordHeader;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.lifecycle.DocumentChecks;
import io.neardup.service.lifecycle.DocumentChecks.CheckException;
import io.neardup.streams.metrics.ServiceMetric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Promise;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * Answers whether a document would be a duplicate. The body is what would be the value of its record, whatever its
 * format; headers of the record go into headers of the request. At most {@link DocumentChecks#OPEN_MAX} answers are
 * awaited at a time, and as many of the largest bodies are kept, or {@value #KEPT_BYTES_MAX} bytes of them, from their
 * first byte to the end of the answer. Who sends more than that gets no answer but to try again, and who does not send
 * all of a body in time is refused: so nobody shuts others out by being slow.
 */
final class CheckEndpoint extends Handler.Abstract {
    static final String PATH = "/api/check";
    private static final String IDENTITY = "identity";

    private static final String ANSWERED = "answered";
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    /** A part of the least heap, and more than the longest body. */
    private static final long KEPT_BYTES_MAX = 64 << 20;
    /** Heap for each piece in which a body comes, beside its bytes: a piece may have a single one. */
    private static final long PIECE_BYTES = 160;
    /** What comes in a piece at the least where a body is sent as usual, but for the last. */
    private static final int PIECE_MIN = 1_400;

    private final Supplier<Optional<DedupService>> service;
    private final double threshold;
    private final long bodyMillis;
    private final long keptBytesMax;
    /** Of all bodies that come or are asked about. */
    private final AtomicLong keptBytes = new AtomicLong();

    /** @param bodyMillis in which all of a body must have come */
    CheckEndpoint(Supplier<Optional<DedupService>> service, double threshold, int bodyBytesMax, long bodyMillis) {
        this.service = service;
        this.threshold = threshold;
        this.bodyMillis = bodyMillis;
        this.keptBytesMax = Math.min(
                KEPT_BYTES_MAX,
                DocumentChecks.OPEN_MAX * (bodyBytesMax + (1 + bodyBytesMax / PIECE_MIN) * PIECE_BYTES));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
        if (type == null || !type.toLowerCase(Locale.ROOT).startsWith(HttpReply.JSON)) {
            return HttpError.CONTENT_TYPE.send(
                    response,
                    callback,
                    "Content-Type: expected " + HttpReply.JSON + ", found " + (type == null ? "none" : "another"));
        }
        String encoding = request.getHeaders().get(HttpHeader.CONTENT_ENCODING);
        if (encoding != null && !encoding.equalsIgnoreCase(IDENTITY)) {
            response.getHeaders().put(HttpHeader.ACCEPT_ENCODING, IDENTITY);
            return HttpError.CONTENT_ENCODING.send(
                    response, callback, "Content-Encoding: expected none, found one; send the body as it is");
        }
        Optional<DedupService> known = service.get();
        if (known.isEmpty()) {
            return HttpError.sendStarting(response, callback);
        }
        List<String> headers = request.getHeaders().getValuesList(EncodedHeader.HTTP_HEADER);
        Body coming = new Body(request);
        Callback asked = Callback.from(callback, (Runnable) coming::release);
        Scheduler.Task deadline = request.getComponents()
                .getScheduler()
                .schedule(() -> request.fail(new TimeoutException()), bodyMillis, TimeUnit.MILLISECONDS);
        Content.Source.asByteBuffer(
                coming,
                Promise.from(
                        body -> {
                            deadline.cancel();
                            check(known.get(), BufferUtil.toArray(body), headers, response, asked);
                        },
                        failure -> {
                            deadline.cancel();
                            request.getContext().execute(() -> notRead(known.get(), failure, request, response, asked));
                        }));
        return true;
    }

    /** The body has not come, or is too long. By a thread of its own, as Jetty is still at work on the failure. */
    private static void notRead(
            DedupService running, Throwable failure, Request request, Response response, Callback callback) {
        if (failure instanceof TimeoutException) {
            HttpError.LATE_BODY.send(
                    response, callback, "expected all of the body in time, found that it has not come");
        } else if (failure instanceof CheckException known) {
            refuse(running, response, callback, known);
        } else {
            Response.writeError(request, response, callback, failure);
        }
    }

    /** A body whose bytes count, until it is answered. */
    private final class Body extends Request.Wrapper {
        private long kept;

        Body(Request request) {
            super(request);
        }

        @Override
        public Content.Chunk read() {
            Content.Chunk chunk = super.read();
            if (chunk == null || Content.Chunk.isFailure(chunk, true)) {
                return chunk;
            }
            if (Content.Chunk.isFailure(chunk)) {
                // As the last chunk: after a failure that is not marked so, Jetty's reader of the body fails the whole
                // request, and with it the answer that another thread may be sending.
                return Content.Chunk.from(chunk.getFailure());
            }
            long added = chunk.remaining() + PIECE_BYTES;
            kept += added;
            if (keptBytes.addAndGet(added) > keptBytesMax) {
                chunk.release();
                return Content.Chunk.from(CheckException.busy());
            }
            return chunk;
        }

        /** The answer has been given. */
        void release() {
            keptBytes.addAndGet(-kept);
        }
    }

    // The reply is sent as the check ends.
    @SuppressWarnings("FutureReturnValueIgnored")
    private void check(DedupService running, byte[] body, List<String> headers, Response response, Callback callback) {
        try {
            List<RecordHeader> decoded = new ArrayList<>();
            for (String header : headers) {
                decoded.add(EncodedHeader.decode(header));
            }
            running.checks().ask(body, decoded, TIMEOUT).whenComplete((result, failure) -> {
                if (failure == null) {
                    count(running, ANSWERED);
                    HttpReply.json(response, callback, Checked.of(result, threshold));
                } else {
                    refuse(running, response, callback, CheckException.of(failure));
                }
            });
        } catch (CheckException | RuntimeException e) {
            refuse(running, response, callback, CheckException.of(e));
        }
    }

    /** Lets every outcome be seen from the start, as none. */
    static void beginCounting(DedupService running) {
        running.counts().total(ServiceMetric.CHECKS, ANSWERED);
        for (CheckException.Kind kind : CheckException.Kind.values()) {
            running.counts().total(ServiceMetric.CHECKS, error(kind).code());
        }
    }

    private static HttpError error(CheckException.Kind kind) {
        return switch (kind) {
            case REJECTED -> HttpError.REJECTED;
            case TOO_LARGE -> HttpError.TOO_LARGE;
            case BUSY -> HttpError.BUSY;
            case TIMEOUT -> HttpError.TIMEOUT;
            case FAILED -> HttpError.FAILED;
        };
    }

    private static void count(DedupService running, String outcome) {
        running.counts().total(ServiceMetric.CHECKS, outcome).increment();
    }

    /** @param duplicateOf and {@code similarity} to that: not there where it is unique */
    @JsonInclude(Include.NON_NULL)
    private record Checked(
            String id,
            String outcome,
            double threshold,
            @Nullable String duplicateOf,
            @Nullable Double similarity,
            double uniqueAbove,
            List<Near> nearest,
            int compared,
            int truncated,
            int fullBuckets) {
        static Checked of(CheckResult result, double threshold) {
            Optional<Neighbour> original = result.originalAt(threshold);
            return new Checked(
                    result.id(),
                    original.isPresent() ? "duplicate" : "unique",
                    threshold,
                    original.map(Neighbour::id).orElse(null),
                    original.map(match -> match.similarity().value()).orElse(null),
                    result.uniqueAbove(),
                    result.nearest().stream().map(Near::of).toList(),
                    result.compared(),
                    result.truncated(),
                    result.fullBuckets());
        }
    }

    /** @param whole similarity of the whole texts, where it is known and may be another */
    @JsonInclude(Include.NON_NULL)
    private record Near(
            String id,
            String place,
            double similarity,
            @Nullable Double whole,
            boolean pending) {
        static Near of(Neighbour neighbour) {
            Similarity similarity = neighbour.similarity();
            return new Near(
                    neighbour.id(),
                    neighbour.provenance().place(),
                    similarity.value(),
                    similarity.knowsWhole() ? similarity.whole() : null,
                    neighbour.isPending());
        }
    }

    private static void refuse(DedupService running, Response response, Callback callback, CheckException e) {
        HttpError error = error(e.kind());
        count(running, error.code());
        String code = e.code().isEmpty() ? error.code() : e.code();
        error.send(response, callback, code, String.valueOf(e.getMessage()));
    }
}
