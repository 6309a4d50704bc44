package io.neardup.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.HtmlText;
import io.neardup.engine.text.StopWords;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IndexSettingsTest {

    private static IndexSettings settings(int inputPartitions, String... pairs) {
        return settings(inputPartitions, Map.of("state", 3), pairs);
    }

    private static IndexSettings settings(int inputPartitions, Map<String, Integer> layouts, String... pairs) {
        return IndexSettings.of(NeardupConfig.of(new Settings().pairs(List.of(pairs))), inputPartitions, layouts);
    }

    @Test
    void shouldNameAllThatShapesAnIndex() {
        assertThat(settings(3).entries())
                .containsOnlyKeys(
                        "normalized-text.version",
                        "neardup.text.case",
                        "neardup.shingle",
                        "shingler.version",
                        "neardup.signature",
                        "signature.version",
                        "sketch.version",
                        "neardup.bands",
                        "neardup.rows",
                        "band-keys.version",
                        "neardup.similarity.verify",
                        "neardup.bands.partitions",
                        "input.partitions",
                        "layout.state")
                .containsEntry("neardup.bands", "26")
                .containsEntry("neardup.rows", "5");
    }

    @Test
    void shouldBindAnIndexToScopesAndReplacedVersions() {
        assertThat(settings(3, "neardup.scope=/lang", "neardup.versions=replace")
                        .differences(settings(3)))
                .containsExactly(
                        "neardup.scope: the index was made with nothing, now /lang",
                        "neardup.versions: the index was made with nothing, now replace");
        assertThat(settings(3, "neardup.retention.refresh=true").differences(settings(3)))
                .isEmpty();
    }

    @Test
    void shouldBindAnIndexOfHtmlToTheVersionOfItsExtraction() {
        assertThat(settings(3, "neardup.document.html=true", "neardup.scope=header:tenant")
                        .differences(settings(3)))
                .containsExactly(
                        "html-text.version: the index was made with nothing, now " + HtmlText.VERSION,
                        "neardup.document.html: the index was made with nothing, now true",
                        "neardup.scope: the index was made with nothing, now header:tenant");
    }

    @Test
    void shouldSayWhatDiffers() {
        IndexSettings stored = settings(3);

        assertThat(settings(6, "neardup.shingle=char:5").differences(stored))
                .containsExactly(
                        "input.partitions: the index was made with 3, now 6",
                        "neardup.shingle: the index was made with char:9, now char:5");
        assertThat(settings(3).differences(stored)).isEmpty();
    }

    @Test
    void shouldTellLayoutsApartFromWhatCanBeSet() {
        IndexSettings stored = settings(3, Map.of("state", 2, "messages", 4));
        IndexSettings now = settings(3, Map.of("state", 3, "messages", 4, "band-log", 2));

        assertThat(now.differences(stored)).isEmpty();
    }

    @Test
    void shouldTellTheLayoutsThatAReleaseDoesNotRead() {
        IndexSettings stored = settings(3, Map.of("state", 2, "messages", 4, "past", 1));

        assertThat(stored.unreadLayouts(Map.of("state", 3, "messages", 4, "band-log", 2)))
                .containsExactly(
                        "layout.band-log: the index was made with nothing, this release reads 2",
                        "layout.past: the index was made with 1, this release reads nothing",
                        "layout.state: the index was made with 2, this release reads 3");
        assertThat(stored.unreadLayouts(Map.of("state", 2, "messages", 4, "past", 1)))
                .isEmpty();
    }

    @Test
    void shouldBindAnIndexOfStopWordsToTheWords() {
        IndexSettings stored = settings(3, "neardup.shingle=stopword:3", "neardup.stopwords=en,de");

        assertThat(stored.entries())
                .containsEntry("neardup.stopwords", StopWords.of("de", "en").fingerprint());
        assertThat(settings(3, "neardup.shingle=stopword:3", "neardup.stopwords=en")
                        .differences(stored))
                .singleElement()
                .asString()
                .startsWith("neardup.stopwords: the index was made with ");
        assertThat(settings(3, "neardup.stopwords=en").differences(settings(3))).isEmpty();
    }

    @Test
    void shouldTakeSpecsThatMeanTheSameForTheSame() {
        assertThat(settings(3, "neardup.shingle=word:2..2").differences(settings(3, "neardup.shingle=word:2")))
                .isEmpty();
    }

    @Test
    void shouldSayWhatAnotherVersionDidNotKnow() {
        IndexSettings stored = new IndexSettings(Map.of("a", "1"));

        assertThat(new IndexSettings(Map.of("b", "2")).differences(stored))
                .containsExactly(
                        "a: the index was made with 1, now nothing", "b: the index was made with nothing, now 2");
    }
}
