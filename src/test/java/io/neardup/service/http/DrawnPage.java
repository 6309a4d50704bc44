package io.neardup.service.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/** The files of the page, and events that a test makes up in place of a service. */
final class DrawnPage implements AutoCloseable {
    private static final String END = "";
    private static final Map<String, String> FILES =
            Map.of("/", "page.html", "/page.js", "page.js", "/page.css", "page.css", "/icon.svg", "icon.svg");
    private static final Map<String, String> TYPES =
            Map.of("html", "text/html", "js", "text/javascript", "css", "text/css", "svg", "image/svg+xml");

    private final Map<String, JsonNode> answers = new ConcurrentHashMap<>();
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private volatile int status = 200;

    private DrawnPage(HttpServer server) {
        this.server = server;
        server.setExecutor(threads);
        FILES.forEach((path, file) -> server.createContext(path, exchange -> sendFile(exchange, file)));
        server.createContext(EventStreams.PATH, this::sendEvents);
        server.createContext(StoriesEndpoint.PATH, this::sendAnswer);
        server.start();
    }

    static DrawnPage open() throws IOException {
        return new DrawnPage(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    }

    String address() {
        return "http://localhost:" + server.getAddress().getPort() + "/";
    }

    /** Sends an event to the page that listens, or the next one that does. */
    void send(String name, JsonNode data) {
        events.add("event: " + name + "\ndata: " + data + "\n\n");
    }

    /** Breaks the connection, as a service that ends; the page comes again after 2 s. */
    void breakOff() {
        events.add(END);
    }

    /** Answers who asks for events with this status and a page, as a proxy without the service behind it. */
    void refuse(int refusal) {
        status = refusal;
    }

    /** Answers this to who asks there from now on. */
    void answer(String path, JsonNode data) {
        answers.put(path, data);
    }

    private void sendAnswer(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode data = answers.get(exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(data == null ? 404 : 200, 0);
            exchange.getResponseBody().write(String.valueOf(data).getBytes(StandardCharsets.UTF_8));
        }
    }

    private static void sendFile(HttpExchange exchange, String file) throws IOException {
        try (exchange;
                InputStream content = Objects.requireNonNull(HttpEndpoints.class.getResourceAsStream(file), file)) {
            String type = TYPES.get(file.substring(file.indexOf('.') + 1));
            exchange.getResponseHeaders().put("Content-Type", List.of(type + "; charset=utf-8"));
            exchange.sendResponseHeaders(200, 0);
            content.transferTo(exchange.getResponseBody());
        }
    }

    private void sendEvents(HttpExchange exchange) throws IOException {
        try (exchange;
                OutputStream body = exchange.getResponseBody()) {
            exchange.sendResponseHeaders(status, 0);
            if (status != 200) {
                body.write("<html>".getBytes(StandardCharsets.UTF_8));
                return;
            }
            body.flush();
            for (String event = events.take(); !event.equals(END); event = events.take()) {
                body.write(event.getBytes(StandardCharsets.UTF_8));
                body.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        server.stop(0);
    }
}
