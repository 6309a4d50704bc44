package io.neardup.topology;

import static io.neardup.topology.TopologyHarness.record;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.streams.topology.OutputRecords;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;

/** What settings do that no other test of this package is about. */
class SettingsTest extends TopologyTests {
    @Test
    void shouldNameTheOriginalByTheIdOrTheHeaderThatTheSettingsPointTo() {
        TopologyHarness byField = start("neardup.document.id=/meta/0");
        TopologyHarness byHeader = start("neardup.document.id=header:url", "neardup.document.format=text");
        for (String id : List.of("first", "second")) {
            byField.arrive(record("key", "{\"id\":\"other\",\"meta\":[\"" + id + "\"],\"text\":\"one and the same\"}"));
            TestRecord<byte[], byte[]> document = record("key", "one and the same");
            document.headers().add("url", id.getBytes(StandardCharsets.UTF_8));
            byHeader.arrive(document);
        }
        for (TopologyHarness running : List.of(byField, byHeader)) {
            assertThat(header(only(running.duplicates()), OutputRecords.DUPLICATE_OF))
                    .isEqualTo("first");
        }
    }

    private int duplicatesOf(String first, String second, String... settings) {
        TopologyHarness running = start(settings);
        running.document("a", first);
        running.document("b", second);
        return running.duplicates().size();
    }

    @Test
    void shouldWriteToTheTopicsOfTheSettings() {
        NeardupConfig config = NeardupConfig.of(new Settings()
                .pairs(List.of(
                        "neardup.unique.topic=u",
                        "neardup.duplicates.topic=d",
                        "neardup.dead-letter.topic=x",
                        "neardup.outputs=records,verdicts",
                        "neardup.verdicts.topic=v")));

        assertThat(TopologyHarness.topology(config, TopologyHarness.ANYTHING, TopologyHarness.ANYTHING)
                        .describe()
                        .toString())
                .contains(
                        "unique (topic: u)", "duplicates (topic: d)", "dead-letter (topic: x)", "verdicts (topic: v)");
    }

    @Test
    void shouldCompareTheMainTextWhereTextsAreHtmlAndCapitalLettersWhereTheyAreKept() {
        String page = "<nav>Home, news, sports</nav><p>one and the same";
        String other = "<p>one <b>and</b> the same";
        assertThat(duplicatesOf(page, other)).isZero();
        assertThat(duplicatesOf(page, other, "neardup.document.html=true")).isEqualTo(1);
        assertThat(duplicatesOf("ONE AND THE SAME", "one and the same")).isEqualTo(1);
        assertThat(duplicatesOf("ONE AND THE SAME", "one and the same", "neardup.text.case=keep"))
                .isZero();
    }
}
