package io.neardup.service.http;

import static io.neardup.service.http.Browser.awaitUntil;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.lifecycle.WatchfulService;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Records;
import io.neardup.testing.World;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The page in a browser, beside a service that works, stops, and comes again. */
class PageIT {
    private static final String TOKEN = "a-token-of-24-characters";
    private static final String STORY = "[...document.querySelectorAll('#story-list details')]"
            + ".find(one => one.textContent.includes('marked-up'))";

    @RegisterExtension
    static final World WORLD = new World();

    private static NeardupConfig config(int port, String duplicatesValue) throws Exception {
        Path token = Files.writeString(WORLD.folder().resolve("token"), TOKEN);
        return WORLD.config(
                "neardup.http.token.file=" + token,
                // Any field will do.
                "neardup.source=/id",
                "neardup.http.texts=true",
                "neardup.outputs=records,stories",
                "neardup.stories.every=1s",
                "neardup.duplicates.value=" + duplicatesValue,
                "neardup.http.listen=127.0.0.1:" + port);
    }

    @Test
    void shouldShowWhatTheServiceDoesAndSurviveItsRestart() throws Exception {
        WORLD.createTopics(1);
        Records.createTopic(WORLD.servers(), "stories", 1, Map.of("cleanup.policy", "compact"));
        List<News> news = NewsFeed.generate(400, 5);
        int port;
        try (Browser browser = Browser.open(WORLD.folder().resolve("profile"))) {
            try (HttpEndpoints http = HttpEndpoints.open(config(0, "verdict"))) {
                port = http.ports().get(0);
                browser.go("http://localhost:" + port + "/");
                enterToken(browser, "another-of-24-characters");
                awaitUntil(() -> assertThat(browser.text("why")).isEqualTo("That token was not taken."));
                // As one that is pasted: of this character the browser makes no header.
                enterToken(browser, TOKEN + "\u200b");
                awaitUntil(() -> assertThat(browser.text("why")).isEqualTo("That token was not taken."));
                enterToken(browser, TOKEN);
                awaitUntil(() -> assertThat(browser.text("state")).isEqualTo("starting"));
                assertThat(browser.text("why")).doesNotContain("token");
                try (DedupService service = WatchfulService.start(config(0, "verdict"))) {
                    http.serve(service);
                    awaitUntil(() -> assertThat(browser.text("state")).isEqualTo("running"));
                    WORLD.feed(news.subList(0, 200));
                    awaitUntil(() -> assertThat(browser.count("#latest tr")).isEqualTo(20));
                    awaitUntil(() -> assertThat(browser.count("#sources tr")).isEqualTo(10));
                    awaitUntil(() -> assertThat(browser.text("no-pairs")).contains("neardup.duplicates.value"));
                    assertNothingSticksOut(browser);
                    // Those that ask for the token.
                    assertThat(browser.errors()).hasSize(3).allMatch(error -> error.contains("401"));
                }
            }
            awaitUntil(() -> assertThat(browser.text("state")).isEqualTo("no answer"));
            awaitUntil(() ->
                    assertThat(browser.text("why")).contains("Last heard at ", " ago: the figures are from then."));
            try (HttpEndpoints http = HttpEndpoints.open(config(port, "record"));
                    DedupService service = WatchfulService.start(config(port, "record"))) {
                http.serve(service);
                awaitUntil(() -> assertThat(browser.text("state")).isEqualTo("running"));
                WORLD.feed(news.subList(200, 400));
                WORLD.feed(markedUp());
                awaitUntil(() -> assertThat(browser.text("rate")).isNotEqualTo("0"));
                assertShowsTexts(browser);
                assertShowsAStoryThatGrows(browser);
                awaitUntil(
                        () -> assertThat(browser.count("#nearest .duplicate")).isPositive());
                awaitUntil(() -> assertThat(browser.text("recall")).matches("Recall: (9.|100).*% of the duplicates.*"));
                awaitUntil(() -> assertThat(browser.text("instance")).isEqualTo(service.instance()));
                assertNothingSticksOut(browser);
                // While nobody listens the browser itself tells so, as an error of the network.
                assertThat(browser.errors())
                        .allMatch(error -> error.contains("401") || error.contains("\"source\":\"network\""));
            }
        }
    }

    private static void enterToken(Browser browser, String token) throws Exception {
        awaitUntil(() -> assertThat(browser.evaluate("document.getElementById('login').hidden === false")
                        .asBoolean())
                .isTrue());
        browser.evaluate("document.getElementById('token').value = '" + token + "';"
                + "document.getElementById('login').requestSubmit()");
    }

    /** A document that would do something if it became a part of the page, and its copy with a word more. */
    private static List<News> markedUp() {
        String text = "<img src=x onerror=throw(1)> " + "one of a few words that stand in both of them ".repeat(8);
        return List.of(new News("marked-up", text), new News("<i>copy</i>", text + "<b>more</b>"));
    }

    private static void assertShowsTexts(Browser browser) {
        awaitUntil(() -> assertThat(browser.texts("#pairs ins")).contains("<b>more</b>"));
        awaitUntil(() ->
                assertThat(browser.count("#figures :is(img, b, i:not(.key))")).isZero());
    }

    /** Each document is its own source, so each copy is one more publisher: with so many it is listed. */
    private static void assertShowsAStoryThatGrows(Browser browser) throws Exception {
        String copy = markedUp().get(1).text();
        WORLD.feed(IntStream.range(0, 60)
                .mapToObj(number -> new News("more-" + number, copy))
                .toList());
        awaitUntil(() -> assertThat(part(browser, "summary")).contains("growing", "61 copies"));
        browser.evaluate(STORY + ".querySelector('summary').click()");
        awaitUntil(() -> assertThat(part(browser, "ins")).contains("<b>more</b>"));

        WORLD.feed(List.of(new News("one-more", copy)));

        awaitUntil(() -> {
            assertThat(part(browser, "summary")).contains("62 copies");
            assertThat(part(browser, "tbody")).contains("one-more");
        });
    }

    private static String part(Browser browser, String selector) throws Exception {
        return browser.evaluate(STORY + ".querySelector('" + selector + "').textContent")
                .asText();
    }

    private static void assertNothingSticksOut(Browser browser) throws Exception {
        for (int width : List.of(380, 1_100)) {
            browser.look(width, 900, width == 380);
            assertThat(browser.evaluate("document.documentElement.scrollWidth").asInt())
                    .as("width of the page in a window of %d", width)
                    .isLessThanOrEqualTo(width);
        }
    }
}
