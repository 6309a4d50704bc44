package io.neardup.service.http;

import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.lifecycle.ServiceStatus;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.KafkaThread;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the frames of the page as server-sent events, to {@value #STREAMS_MAX} streams at the most. One thread makes a
 * frame a second for all of them; none waits for a client. A client that is behind misses frames, and one that takes
 * nothing for the idle time of the port is closed.
 */
final class EventStreams extends Handler.Abstract.NonBlocking {
    static final String PATH = "/api/events";
    static final int STREAMS_MAX = 16;
    private static final Logger LOG = LoggerFactory.getLogger(EventStreams.class);

    private final Supplier<Optional<DedupService>> service;
    private final Supplier<Optional<DuplicateTexts>> texts;
    /** Of the service, once there is one. Of the thread that makes frames. */
    private @Nullable PageFrames frames;

    private final List<Stream> streams = new CopyOnWriteArrayList<>();
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(task -> KafkaThread.daemon("neardup-events", task));

    EventStreams(Supplier<Optional<DedupService>> service, Supplier<Optional<DuplicateTexts>> texts) {
        this.service = service;
        this.texts = texts;
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // It reports its failures itself.
    protected void doStart() throws Exception {
        super.doStart();
        clock.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
    }

    @Override
    protected void doStop() throws Exception {
        clock.shutdownNow();
        streams.forEach(Stream::end);
        super.doStop();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        Stream stream = new Stream(response, callback);
        if (!add(stream)) {
            return HttpError.STREAMS.send(
                    response, callback, "expected at most " + STREAMS_MAX + " event streams, found more; close a page");
        }
        response.setStatus(HttpStatus.OK_200);
        HttpReply.prepare(response.getHeaders());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/event-stream");
        stream.open();
        return true;
    }

    private synchronized boolean add(Stream stream) {
        return streams.size() < STREAMS_MAX && streams.add(stream);
    }

    private void tick() {
        try {
            service.get().ifPresentOrElse(this::send, this::sendStarting);
        } catch (RuntimeException e) {
            LOG.warn("could not make a frame of the page, trying on; cause={}", e.toString());
        }
    }

    /** That somebody is there, for who would take silence for an end. */
    private void sendStarting() {
        String starting = event("starting", StatusJson.Health.of(ServiceStatus.STARTING));
        for (Stream stream : streams) {
            boolean unused = stream.send(starting);
        }
    }

    /** Each frame is of the second before, so that there is none in the first. */
    private void send(DedupService running) {
        PageFrames known = frames;
        if (known == null) {
            frames = new PageFrames(running, texts.get());
            return;
        }
        known.sample();
        if (streams.isEmpty()) {
            return;
        }
        String next = event("frame", known.next());
        String pairs = known.texts().map(texts -> event("texts", texts)).orElse("");
        streams.forEach(stream -> {
            String first = stream.hasBegun ? "" : event("first", known.first());
            String changed = pairs.equals(stream.texts) ? "" : pairs;
            if (stream.send(first + next + changed)) {
                stream.hasBegun = true;
                stream.texts = pairs;
            }
        });
    }

    private static String event(String name, Object data) {
        return "event: " + name + "\ndata: " + HttpReply.json(data) + "\n\n";
    }

    /** One page that looks on. At most one write is under way. */
    private final class Stream implements Callback {
        private final Response response;
        private final Callback end;
        private boolean writing = true;
        /** Of the thread that makes frames: whether there was one, and the texts that were sent last. */
        private boolean hasBegun;

        private String texts = "";

        Stream(Response response, Callback end) {
            this.response = response;
            this.end = end;
        }

        /** Begins, before there is a frame. */
        void open() {
            write("retry: 2000\n\n");
        }

        /** Sends it, unless it is still busy with what was sent before; whether it is sent. */
        boolean send(String text) {
            synchronized (this) {
                if (writing) {
                    return false;
                }
                writing = true;
            }
            write(text);
            return true;
        }

        private void write(String text) {
            response.write(false, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), this);
        }

        @Override
        public synchronized void succeeded() {
            writing = false;
        }

        @Override
        public void failed(Throwable failure) {
            streams.remove(this);
            end.failed(failure);
        }

        void end() {
            streams.remove(this);
            end.succeeded();
        }
    }
}
