package io.neardup.service.http;

import static io.neardup.service.http.Browser.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the page makes of answers, in a browser, without a service. */
class PageDrawingIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static Browser browser;
    private static HttpEndpoints http;

    @BeforeAll
    static void openBrowser(@TempDir Path profile) throws Exception {
        browser = Browser.open(profile);
        http = HttpEndpoints.open(NeardupConfig.of(new Settings().pairs(List.of("neardup.http.listen=127.0.0.1:0"))));
    }

    @AfterAll
    static void closeBrowser() {
        if (browser != null) {
            browser.close();
            http.close();
        }
    }

    /** Opens the page, which is answered with a frame, and by path with more. */
    private static void open(ObjectNode frame, Map<String, String> more) throws Exception {
        ObjectNode answers = Browser.object().put(PageEndpoint.PATH, frame.toString());
        more.forEach(answers::put);
        String script = "(() => { const answers = " + answers
                + "; window.fetch = async (path) => new Response(answers[path] ?? '',"
                + " { status: path in answers ? 200 : 404 }); })()";
        browser.ask("Page.addScriptToEvaluateOnNewDocument", Browser.object().put("source", script));
        browser.go("http://localhost:" + http.ports().get(0) + "/");
    }

    /** Of an instance that has done nothing so far. */
    private static ObjectNode frame() throws Exception {
        ObjectNode frame = (ObjectNode) JSON.readTree("""
                {"applicationId":"news","threshold":0.7,"seenFrom":0.58,"stories":false,
                 "state":"running","tasks":4,"brokersAnswer":true,"id":"news-1",
                 "documents":{"unique":0,"duplicates":0,"deadLetters":0,"deadLettersByReason":{}},
                 "pending":0,"oldestPendingSeconds":0,"askedAgain":0,"boundedDocuments":0,"indexedDocuments":0,
                 "indexBytes":0,"indexHotBytes":0,"indexColdBytes":0,"indexSegments":0,
                 "alerts":[],"latest":[],"sources":[],"group":null,"recall":null,"history":[[1,0,0,0,0]]}
                """);
        for (int hundredth = 0; hundredth <= 100; hundredth++) {
            frame.withArray("curve").add(Math.min(1, hundredth / 80.0));
        }
        frame.set("hour", counted());
        frame.set("day", counted());
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

    /** In hundredths of the axis; of the duplicates half of which shared a bucket twice as many are drawn. */
    @Test
    void shouldDrawDocumentsByTheirNearestOriginalOverThoseThatAreSeen() throws Exception {
        ObjectNode frame = frame().put("boundedDocuments", 7);
        ObjectNode hour = counted();
        hour.withArray("unique").set(30, 500).set(65, 100);
        hour.withArray("duplicates").set(72, 90).set(90, 100).set(99, 3_000);
        frame.set("hour", hour.put("parting", "It says so."));
        frame.set("recall", JSON.readTree("{\"duplicates\":3190,\"share\":0.99999,\"low\":0.98765,\"high\":0.99995}"));
        open(frame, Map.of());

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

    /** As a proxy before an instance that has ended. */
    @Test
    void shouldNotShowFiguresOfThenAsIfTheyWereOfNow() throws Exception {
        open(frame(), Map.of());
        awaitUntil(() -> assertThat(browser.text("state")).isEqualTo("running"));
        assertThat(figuresClass()).isEmpty();

        awaitUntil(() -> {
            browser.evaluate("window.fetch = async () => new Response('', { status: 502 })");
            assertThat(browser.text("state")).isEqualTo("refused");
        });
        assertThat(figuresClass()).isEqualTo("old");
    }

    private static String figuresClass() throws Exception {
        return browser.evaluate("document.getElementById('figures').className").asText();
    }

    @Test
    void shouldTellOfEachSourceWhomItRepeats() throws Exception {
        ObjectNode frame = frame();
        frame.set("sources", JSON.readTree("""
                        [{"name":"mirror.org","documents":200,"missedMax":0,"duplicates":190,"ofItself":10,
                          "ofOthers":180,"repeats":[{"name":"a.com","duplicates":150}],"afterSeconds":5400,"after":[],
                          "vanishes":{"sinceMillis":1,"documents":200,"ofOthers":180,"ofItself":10,"unique":10,
                            "uniqueBefore":null,"repeats":null}},
                         {"name":"a.com","documents":100,"missedMax":0,"duplicates":0,"ofItself":0,"ofOthers":0,
                          "repeats":[],"afterSeconds":null,"after":[],"vanishes":null}]
                        """));
        open(frame, Map.of());

        awaitUntil(() -> assertThat(browser.texts("#sources td"))
                .isEqualTo("mirror.org vanishes|200|95%|5%|90%|a.com|90\u00a0min|a.com|100|0%|0%|0%|–|–"));
    }

    @Test
    void shouldShowStoriesAndOfThoseThatAreOpenWhoCarriedThemInTime() throws Exception {
        String listed = """
                        {"problem":"","since":1,"day":[],"hour":[
                         {"story":"in-0-1","id":"big","copies":40,"publishers":12,"exact":true,"first":1000,"last":9000,
                          "growing":true,"ended":false},
                         {"story":"in-0-2","id":"<b>small</b>","copies":1,"publishers":1,"exact":true,"first":1000,
                          "last":9000,"growing":false,"ended":true}]}
                        """;
        String story = """
                        {"story":{"story":"in-0-1","id":"big","revision":4,"first":1000,"last":9000,"copies":40,
                         "publishers":12,"exact":true,"latest":["c2","c1"],"similarity":{"min":0.71,"median":0.93},
                         "representative":{"id":"big","place":"in-0-1","source":"a.com","timestamp":1000,"length":900,
                          "rule":"first"},
                         "sources":[{"source":"later.com","publisher":"later.com","copies":39,"first":5000},
                          {"source":"a.com","publisher":"a.com","copies":1,"first":1000}]},
                         "copies":[{"id":"c2","original":"big","story":"in-0-1","source":"later.com","millis":9000,
                          "similarity":0.912,"passages":[["both"," a"],["second"," word"]]},
                          {"id":"c3","original":"in-0-1","story":"in-0-1","source":"","millis":8000,
                           "similarity":0.9,"passages":[]}]}
                        """;
        open(frame().put("stories", true), Map.of("/api/stories", listed, "/api/stories/in-0-1", story));
        awaitUntil(() -> assertThat(browser.texts("#story-list summary strong")).isEqualTo("big|<b>small</b>"));
        assertThat(browser.texts("#story-list .growing")).isEqualTo("growing");
        assertThat(browser.texts("#story-list .number"))
                .contains("12 publishers|40 copies")
                .contains("1 publisher|1 copy");

        browser.evaluate("document.querySelector('#story-list summary').click()");

        awaitUntil(() -> assertThat(browser.texts("#story-list td:first-child")).isEqualTo("a.com|later.com"));
        assertThat(browser.texts("#story-list article"))
                .contains("c2 of later.com", "similarity 0.912", "The original has neither an id nor a key");
        assertThat(browser.texts("#story-list ins")).isEqualTo("word");
        assertThat(browser.texts("#story-list .opened > p:last-child")).isEqualTo("c1");
        browser.evaluate("document.querySelector('[data-choice=stories] [data-time=day]').click()");
        assertThat(browser.text("no-stories")).isEqualTo("No document was repeated in the last day.");
        assertThat(browser.texts("#story-list *")).isEmpty();
    }
}
