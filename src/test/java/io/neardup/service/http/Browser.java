package io.neardup.service.http;

import static io.neardup.testing.World.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.core.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

/** A headless Chromium with one page, driven by its DevTools protocol. */
final class Browser implements AutoCloseable {
    private static final String LISTENING = "DevTools listening on ";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final WebSocket socket;
    private final Map<Integer, CompletableFuture<JsonNode>> asked = new ConcurrentHashMap<>();
    private final AtomicInteger last = new AtomicInteger();
    private final List<String> errors = Collections.synchronizedList(new ArrayList<>());
    private String session = "";

    private Browser(Process process, URI address) {
        this.process = process;
        this.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(address, new Listener())
                .join();
    }

    /** Opens an empty page; skips the test where there is no Chromium on the path. */
    static Browser open(Path profile) throws Exception {
        Optional<Path> chromium = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(folder -> Stream.of("chromium", "chromium-browser", "google-chrome")
                        .map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(chromium.isPresent(), "no Chromium on the PATH: the page was not tried in a browser");
        Process process = new ProcessBuilder(
                        chromium.get().toString(),
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--hide-scrollbars",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Browser browser = new Browser(process, URI.create(address(process)));
        String target = browser.ask("Target.createTarget", object().put("url", "about:blank"))
                .get("targetId")
                .asText();
        browser.session = browser.ask(
                        "Target.attachToTarget",
                        object().put("targetId", target).put("flatten", true))
                .get("sessionId")
                .asText();
        for (String domain : List.of("Page", "Runtime", "Log")) {
            browser.ask(domain + ".enable", object());
        }
        return browser;
    }

    private static String address(Process process) throws IOException {
        BufferedReader said = process.errorReader(StandardCharsets.UTF_8);
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.startsWith(LISTENING)) {
                drain(said);
                return line.substring(LISTENING.length());
            }
        }
        throw new IOException("expected Chromium to tell where it listens, found that it has ended");
    }

    private static void drain(BufferedReader said) {
        Thread thread = new Thread(() -> said.lines().forEach(line -> {}), "chromium-log");
        thread.setDaemon(true);
        thread.start();
    }

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    JsonNode ask(String method, ObjectNode parameters) throws Exception {
        int id = last.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        asked.put(id, answer);
        ObjectNode message = object().put("id", id).put("method", method);
        message.set("params", parameters);
        if (!session.isEmpty()) {
            message.put("sessionId", session);
        }
        socket.sendText(message.toString(), true).join();
        return answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    void go(String address) throws Exception {
        ask("Page.navigate", object().put("url", address));
    }

    /** The value of an expression of JavaScript on the page. */
    JsonNode evaluate(String expression) throws Exception {
        return ask("Runtime.evaluate", object().put("expression", expression).put("returnByValue", true))
                .get("result")
                .path("value");
    }

    String text(String id) throws Exception {
        return evaluate("document.getElementById('" + id + "').textContent").asText();
    }

    /** The texts of all elements of a kind, with | between them. */
    String texts(String selector) throws Exception {
        return evaluate("[...document.querySelectorAll('" + selector + "')]"
                        + ".map(found => found.textContent).join('|')")
                .asText();
    }

    int count(String selector) throws Exception {
        return evaluate("document.querySelectorAll('" + selector + "').length").asInt();
    }

    /** Shows the page in a window of this size, in dark or light colours. */
    void look(int width, int height, boolean dark) throws Exception {
        ask(
                "Emulation.setDeviceMetricsOverride",
                object().put("width", width)
                        .put("height", height)
                        .put("deviceScaleFactor", 1)
                        .put("mobile", width < 500));
        ObjectNode media = object();
        media.putArray("features")
                .addObject()
                .put("name", "prefers-color-scheme")
                .put("value", dark ? "dark" : "light");
        ask("Emulation.setEmulatedMedia", media);
    }

    /** Waits for what the page shows a while later, or cannot be asked for before. */
    static void awaitUntil(ThrowingRunnable assertion) {
        await().atMost(PATIENCE).ignoreExceptions().untilAsserted(assertion);
    }

    /** What the console has of errors, and what nothing caught. */
    List<String> errors() {
        synchronized (errors) {
            return List.copyOf(errors);
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().onExit().join();
    }

    private final class Listener implements WebSocket.Listener {
        private final StringBuilder parts = new StringBuilder();

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean isLast) {
            parts.append(data);
            if (isLast) {
                take(parts.toString());
                parts.setLength(0);
            }
            from.request(1);
            return null;
        }

        private void take(String written) {
            JsonNode message = read(written);
            CompletableFuture<JsonNode> answer = asked.remove(message.path("id").asInt());
            if (answer != null && message.has("result")) {
                answer.complete(message.get("result"));
            } else if (answer != null) {
                answer.completeExceptionally(new IllegalStateException(written));
            } else if (isError(message)) {
                errors.add(written);
            }
        }

        private static JsonNode read(String written) {
            try {
                return JSON.readTree(written);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        private static boolean isError(JsonNode event) {
            return switch (event.path("method").asText()) {
                case "Runtime.exceptionThrown" -> true;
                case "Runtime.consoleAPICalled" ->
                    event.at("/params/type").asText().equals("error");
                case "Log.entryAdded" ->
                    event.at("/params/entry/level").asText().equals("error");
                default -> false;
            };
        }
    }
}
