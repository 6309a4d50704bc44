package io.neardup.service.http;

import io.neardup.config.ListenAddress;
import io.neardup.config.NeardupConfig;
import io.neardup.service.http.HttpPort.PortBounds;
import io.neardup.service.http.RequestFilter.BearerToken;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.lifecycle.ServiceStatus;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.pathmap.PathSpec;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.PathMappingsHandler;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All that an instance answers over HTTP, if it is to listen. It does before there is a service: probes are
 * answered while that looks at its topics, and a port in use stops the start.
 */
public final class HttpEndpoints implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpEndpoints.class);
    static final String LIVE = "/health/live";
    static final String READY = "/health/ready";
    private static final String STATUS = "/api/status";
    private static final String SOURCES = "/api/sources";
    private static final String PAGE = "/";
    private static final String SCRIPT = "/page.js";
    private static final String STYLE = "/page.css";
    private static final String ICON = "/icon.svg";
    private static final String DESCRIPTION = "/api/openapi.yaml";
    private static final Set<String> OPEN = Set.of(LIVE, READY, PAGE, SCRIPT, STYLE, ICON, DESCRIPTION);

    static final int BODY_BYTES = 64 << 10;

    private final List<HttpPort> ports = new ArrayList<>();
    private final Waits waits;
    private volatile Optional<DedupService> service = Optional.empty();
    /** What is read back of its outputs: there as soon as it is, as its settings alone tell where. */
    private volatile Optional<DuplicateTexts> texts = Optional.empty();

    private volatile Optional<TopStories> stories = Optional.empty();

    /**
     * How long clients are waited for.
     *
     * @param sendMillis for the head of a request, and the longest pause in what follows
     * @param probeMillis the same where health alone is answered: a probe takes no time
     * @param bodyMillis from the head of a request on, for all of a body to check
     */
    record Waits(long sendMillis, long probeMillis, long bodyMillis) {
        static final Waits DEFAULT = new Waits(5_000, 2_000, 10_000);
    }

    private HttpEndpoints(Waits waits) {
        this.waits = waits;
    }

    /**
     * Listens where the settings say, if they say so.
     *
     * @throws io.neardup.config.ConfigurationException if a port is in use, or there is no token where the settings
     *     say
     */
    public static HttpEndpoints open(NeardupConfig config) {
        return open(config, Waits.DEFAULT);
    }

    static HttpEndpoints open(NeardupConfig config, Waits waits) {
        Optional<BearerToken> token =
                config.httpListen().isPresent() ? config.httpTokenFile().map(BearerToken::read) : Optional.empty();
        HttpEndpoints endpoints = new HttpEndpoints(waits);
        try {
            List<String> hosts = hosts(config);
            config.httpListen()
                    .ifPresent(address -> endpoints.listen(
                            address,
                            mainBounds(waits, bodyBytes(config)),
                            new RequestFilter(hosts, token, OPEN, mapped(endpoints.all(config)))));
            config.httpHealthListen()
                    .ifPresent(address -> endpoints.listen(
                            address,
                            healthBounds(waits),
                            new RequestFilter(hosts, Optional.empty(), OPEN, mapped(endpoints.health()))));
            return endpoints;
        } catch (RuntimeException e) {
            endpoints.close();
            throw e;
        }
    }

    static PortBounds mainBounds(Waits waits, int bodyBytes) {
        return new PortBounds("neardup-http", "neardup.http.listen", 16, waits.sendMillis, bodyBytes);
    }

    static PortBounds healthBounds(Waits waits) {
        return new PortBounds("neardup-health", "neardup.http.health.listen", 8, waits.probeMillis, BODY_BYTES);
    }

    private static int bodyBytes(NeardupConfig config) {
        return Math.max(BODY_BYTES, config.documentBytesMax());
    }

    private static List<String> hosts(NeardupConfig config) {
        return Stream.concat(
                        Stream.of(config.httpListen(), config.httpHealthListen())
                                .flatMap(Optional::stream)
                                .map(ListenAddress::host),
                        config.httpHosts().stream())
                .toList();
    }

    private void listen(ListenAddress address, PortBounds bounds, Handler handler) {
        HttpPort port = HttpPort.open(address, bounds, handler);
        ports.add(port);
        LOG.info("answering over HTTP {}={}:{}", bounds.key(), address.host(), port.port());
    }

    private static Handler mapped(Map<String, Handler> byPath) {
        PathMappingsHandler mapped = new PathMappingsHandler();
        byPath.forEach((path, handler) -> mapped.addMapping(PathSpec.from(path), handler));
        return mapped;
    }

    private Map<String, Handler> health() {
        Map<String, Handler> paths = new LinkedHashMap<>();
        paths.put(LIVE, probe(this::status, ServiceStatus::isLive));
        paths.put(READY, probe(this::status, ServiceStatus::isReady));
        return paths;
    }

    /** Who answers at which path of the main port; a star at its end stands for all below it. */
    Map<String, Handler> all(NeardupConfig config) {
        Map<String, Handler> paths = health();
        paths.put(MetricsEndpoint.PATH, new MetricsEndpoint(() -> service));
        paths.put(
                STATUS,
                new Answer((response, callback) -> HttpReply.json(response, callback, StatusJson.status(service))));
        paths.put(
                SOURCES,
                new Answer(
                        (response, callback) -> HttpReply.json(response, callback, StatusJson.BySource.of(service))));
        paths.put(PageEndpoint.PATH, new PageEndpoint(() -> service, () -> texts));
        if (config.writesStories()) {
            paths.put(StoriesEndpoint.PATH + "/*", new StoriesEndpoint(() -> stories, () -> texts));
        }
        // The root alone: "/" would be whatever no other takes.
        paths.put("", file("page.html", "text/html; charset=utf-8"));
        paths.put(SCRIPT, file("page.js", "text/javascript; charset=utf-8"));
        paths.put(STYLE, file("page.css", "text/css; charset=utf-8"));
        paths.put(ICON, file("icon.svg", "image/svg+xml"));
        paths.put(DESCRIPTION, file("openapi.yaml", "application/yaml"));
        paths.put(
                CheckEndpoint.PATH,
                new CheckEndpoint(() -> service, config.threshold(), bodyBytes(config), waits.bodyMillis));
        return paths;
    }

    /** 200 where all is well, else 503 with the reason. */
    static Handler probe(Supplier<ServiceStatus> status, Predicate<ServiceStatus> isWell) {
        return new Answer((response, callback) -> {
            ServiceStatus now = status.get();
            int code = isWell.test(now) ? HttpStatus.OK_200 : HttpStatus.SERVICE_UNAVAILABLE_503;
            return HttpReply.json(response, callback, code, StatusJson.Health.of(now));
        });
    }

    /** A part of the page: a file of the jar, without any data. */
    private static Handler file(String name, String type) {
        try (InputStream file = Objects.requireNonNull(HttpEndpoints.class.getResourceAsStream(name), name)) {
            byte[] content = file.readAllBytes();
            return new Answer(
                    (response, callback) -> HttpReply.send(response, callback, HttpStatus.OK_200, type, content));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is at hand, so that none waits for it. */
    private static final class Answer extends Handler.Abstract.NonBlocking {
        private final BiPredicate<Response, Callback> sending;

        Answer(BiPredicate<Response, Callback> sending) {
            this.sending = sending;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            return sending.test(response, callback);
        }
    }

    private ServiceStatus status() {
        return service.map(DedupService::status).orElse(ServiceStatus.STARTING);
    }

    /** Serves this service from now on. */
    public void serve(DedupService started) {
        CheckEndpoint.beginCounting(started);
        NeardupConfig config = started.config();
        texts = DuplicateTexts.of(config);
        stories = config.writesStories() ? Optional.of(new TopStories(config)) : Optional.empty();
        service = Optional.of(started);
    }

    /** The ports that it listens at, in the order of {@code neardup.http.listen} and that of health. */
    public List<Integer> ports() {
        return ports.stream().map(HttpPort::port).toList();
    }

    @Override
    public void close() {
        ports.forEach(HttpPort::close);
        texts.ifPresent(DuplicateTexts::close);
        stories.ifPresent(TopStories::close);
    }
}
