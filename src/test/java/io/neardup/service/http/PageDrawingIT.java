package io.neardup.service.http;

import static io.neardup.service.http.Browser.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page makes of events, in a browser, without a service. */
class PageDrawingIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long NOW = System.currentTimeMillis();

    private static Browser browser;
    private DrawnPage page;

    @BeforeAll
    static void openBrowser(@TempDir Path profile) throws Exception {
        browser = Browser.open(profile);
    }

    @AfterAll
    static void closeBrowser() {
        if (browser != null) {
            browser.close();
        }
    }

    @BeforeEach
    void open() throws Exception {
        page = DrawnPage.open();
        browser.go(page.address());
    }

    @AfterEach
    void close() {
        page.close();
    }

    /** Of an instance of which nothing left but so many so many seconds ago. */
    static ObjectNode first(int idleSeconds, int left) throws Exception {
        ObjectNode first = (ObjectNode)
                JSON.readTree("{'applicationId':'news','threshold':0.7,'pendingMax':5000,".replace('\'', '"')
                        + "\"seenFrom\":0.58,\"history\":[]}");
        for (int hundredth = 0; hundredth <= 100; hundredth++) {
            first.withArray("curve").add(Math.min(1, hundredth / 80.0));
        }
        ArrayNode history = first.withArray("history");
        for (int second = idleSeconds; second > 0; second--) {
            history.add(sample(NOW - 1_000L * second, second == idleSeconds ? left : 0, 0));
        }
        return first;
    }

    static ArrayNode sample(long millis, int left, int pending) {
        return JSON.createArrayNode().add(millis).add(left).add(0).add(0).add(pending);
    }

    /** A frame of an instance that has done nothing else. */
    static ObjectNode frame(ArrayNode sample) throws Exception {
        ObjectNode frame = (ObjectNode) JSON.readTree("""
                {"state":"running","tasks":4,"brokersAnswer":true,"id":"news-1",
                 "documents":{"unique":0,"duplicates":0,"deadLetters":0,"deadLettersByReason":{}},
                 "pending":0,"oldestPendingSeconds":0,"askedAgain":0,"boundedDocuments":0,"indexedDocuments":0,
                 "indexBytes":0,"indexHotBytes":0,"indexColdBytes":0,"indexSegments":0,
                 "alerts":[],"latest":[],"sources":[],"group":null,"recall":null}
                """);
        frame.set("hour", counted());
        frame.set("day", counted());
        frame.set("sample", sample);
        frame.put("pending", sample.get(4).asInt());
        return frame;
    }

    private static ObjectNode counted() {
        ObjectNode counted = JSON.createObjectNode();
        for (String kind : List.of("unique", "duplicates")) {
            for (int bin = 0; bin < 100; bin++) {
                counted.withArray(kind).add(0);
            }
        }
        return counted.put("parting", "");
    }

    @Test
    void shouldSayNothingOfAnInstanceBeforeThatAnswers() throws Exception {
        awaitUntil(() -> assertThat(browser.text("state")).isEqualTo("connecting"));
        assertThat(isVisible("footer")).isFalse();

        page.send("first", first(0, 0));
        page.send("frame", frame(sample(NOW, 0, 0)));

        awaitUntil(() -> assertThat(isVisible("footer")).isTrue());
        assertThat(browser.text("footer")).contains("this instance, news-1, since");
    }

    @Test
    void shouldSayWithWhichStatusAProxyRefusesIt() throws Exception {
        page.refuse(502);
        page.breakOff();

        awaitUntil(() -> assertThat(browser.text("state")).isEqualTo("refused"));
        assertThat(browser.text("why")).isEqualTo("HTTP 502, without a reason");
    }

    /** Seconds in which nothing waited are none in which something was late. */
    @Test
    void shouldNotTakeIdlenessBeforeLoadForAStop() throws Exception {
        page.send("first", first(60, 0));
        page.send("frame", frame(sample(NOW, 0, 40)));
        awaitUntil(() -> assertThat(browser.text("pending")).isEqualTo("40"));
        assertThat(browser.text("why")).isEmpty();

        for (int second = 1; second <= 10; second++) {
            page.send("frame", frame(sample(NOW + 1_000L * second, 0, 40)));
        }

        awaitUntil(() -> assertThat(browser.text("why")).contains("Nothing has left for 11", "40 records wait"));
    }

    @Test
    void shouldKeepThePictureOfWhatLeftOverARestart() throws Exception {
        page.send("first", first(30, 300));
        page.send("frame", frame(sample(NOW, 0, 0)));
        awaitUntil(() -> assertThat(browser.text("rates")).contains("300"));

        page.breakOff();
        awaitUntil(() -> assertThat(browser.text("state")).isEqualTo("no answer"));
        page.send("first", first(0, 0));
        page.send("frame", frame(sample(NOW + 20_000, 0, 0)));

        awaitUntil(() -> assertThat(browser.text("state")).isEqualTo("running"));
        assertThat(browser.text("rates")).contains("300");
        assertThat(browser.text("rate")).isEqualTo("5.9");
    }

    /** In hundredths of the axis; of the duplicates half of which shared a bucket twice as many are drawn. */
    @Test
    void shouldDrawDocumentsByTheirNearestOriginalOverThoseThatAreSeen() throws Exception {
        ObjectNode frame = frame(sample(NOW, 0, 0)).put("boundedDocuments", 7);
        ObjectNode hour = counted();
        hour.withArray("unique").set(30, 500).set(65, 100);
        hour.withArray("duplicates").set(72, 90).set(90, 100).set(99, 3_000);
        frame.set("hour", hour.put("parting", "It says so."));
        frame.set("recall", JSON.readTree("{\"duplicates\":3190,\"share\":0.99999,\"low\":0.98765,\"high\":1}"));
        page.send("first", first(0, 0));
        page.send("frame", frame);

        awaitUntil(() -> assertThat(bars("unique")).isEqualTo("65"));
        assertThat(bars("duplicate")).isEqualTo("72,90,99");
        // 100 / (65.5 / 80) documents, of which the axis has a tenth more.
        assertThat(browser.text("nearest")).contains("135").contains("3k");
        assertThat(browser.text("recall"))
                .startsWith("Recall: 99.99% of the duplicates are found, 98.76% to 100% with 95% certainty")
                .endsWith("7 unique documents reached a bound, so that more may be missed than that.");
        assertThat(browser.text("apart")).isEqualTo("It says so.");
        browser.evaluate("document.querySelector('[data-choice=nearest] [data-time=day]').click()");
        assertThat(bars("unique")).isEmpty();
    }

    private static String bars(String kind) throws Exception {
        return browser.evaluate("[...document.querySelectorAll('#nearest rect." + kind + "')]"
                        + ".map(bar => Math.floor((bar.getAttribute('x') - 64) / 5.68)).join()")
                .asText();
    }

    @Test
    void shouldTellOfEachSourceWhomItRepeats() throws Exception {
        ObjectNode frame = frame(sample(NOW, 0, 0));
        frame.set("sources", JSON.readTree("""
                        [{"name":"mirror.org","documents":200,"missedMax":0,"duplicates":190,"ofItself":10,
                          "ofOthers":180,"repeats":[{"name":"a.com","duplicates":150}],"afterSeconds":5400,"after":[],
                          "vanishes":{"sinceMillis":1,"documents":200,"ofOthers":180,"ofItself":10,"unique":10,
                            "uniqueBefore":null,"repeats":null}},
                         {"name":"a.com","documents":100,"missedMax":0,"duplicates":0,"ofItself":0,"ofOthers":0,
                          "repeats":[],"afterSeconds":null,"after":[],"vanishes":null}]
                        """));
        page.send("first", first(0, 0));
        page.send("frame", frame);

        awaitUntil(() -> assertThat(browser.texts("#sources td"))
                .isEqualTo("mirror.org vanishes|200|95%|5%|90%|a.com|90\u00a0min|a.com|100|0%|0%|0%|–|–"));
    }

    @Test
    void shouldShowStoriesAndOfThoseThatAreOpenWhoCarriedThemInTime() throws Exception {
        page.answer("/api/stories", JSON.readTree("""
                        {"problem":"","since":1,"day":[],"hour":[
                         {"story":"in-0-1","id":"big","copies":40,"publishers":12,"exact":true,"first":1000,"last":9000,
                          "growing":true,"ended":false},
                         {"story":"in-0-2","id":"<b>small</b>","copies":1,"publishers":1,"exact":true,"first":1000,
                          "last":9000,"growing":false,"ended":true}]}
                        """));
        page.answer("/api/stories/in-0-1", JSON.readTree("""
                        {"story":{"story":"in-0-1","id":"big","revision":4,"first":1000,"last":9000,"copies":40,
                         "publishers":12,"exact":true,"latest":["c2","c1"],"similarity":{"min":0.71,"median":0.93},
                         "representative":{"id":"big","place":"in-0-1","source":"a.com","timestamp":1000,"length":900,
                          "rule":"first"},
                         "sources":[{"source":"later.com","publisher":"later.com","copies":39,"first":5000},
                          {"source":"a.com","publisher":"a.com","copies":1,"first":1000}]},
                         "copies":[{"id":"c2","original":"big","story":"in-0-1","source":"later.com","millis":9000,
                          "similarity":0.912,"passages":[["both"," a"],["second"," word"]]}]}
                        """));
        page.send("first", first(0, 0).put("stories", true));
        page.send("frame", frame(sample(NOW, 0, 0)));
        awaitUntil(() -> assertThat(browser.texts("#story-list summary strong")).isEqualTo("big|<b>small</b>"));
        assertThat(browser.texts("#story-list .growing")).isEqualTo("growing");
        assertThat(browser.texts("#story-list .number"))
                .contains("12 publishers|40 copies")
                .contains("1 publisher|1 copy");

        browser.evaluate("document.querySelector('#story-list summary').click()");

        awaitUntil(() -> assertThat(browser.texts("#story-list td:first-child")).isEqualTo("a.com|later.com"));
        assertThat(browser.texts("#story-list article")).contains("c2 of later.com", "similarity 0.912");
        assertThat(browser.texts("#story-list ins")).isEqualTo("word");
        assertThat(browser.texts("#story-list .opened > p:last-child")).isEqualTo("c1");
        browser.evaluate("document.querySelector('[data-choice=stories] [data-time=day]').click()");
        assertThat(browser.text("no-stories")).isEqualTo("No document was repeated in the last day.");
        assertThat(browser.texts("#story-list *")).isEmpty();
    }

    private static boolean isVisible(String id) throws Exception {
        return browser.evaluate("document.getElementById('" + id + "').checkVisibility()")
                .asBoolean();
    }

    /** The files of the page, and events that a test makes up in place of a service. */
    private static final class DrawnPage implements AutoCloseable {
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
}
