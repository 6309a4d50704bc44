package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.record.Document;
import io.neardup.tools.analysis.DocumentLines;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class PresetTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "rss | <rss><channel><item><guid>g1</guid><title>Rain</title><description>in Porto</description></item>"
                        + "</channel></rss> | g1 | Rain\\nin Porto",
                "scrapy | {\"url\":\"http://a.org\",\"title\":\"Rain\",\"body\":\"in Porto\"} | http://a.org |"
                        + " Rain\\nin Porto",
                "common-crawl | {\"url\":\"http://a.org\",\"title\":\"Rain\",\"text\":\"in Porto\"} | http://a.org |"
                        + " in Porto"
            })
    void shouldSayWhereIdAndTextAre(String name, String feed, String id, String text) throws IOException {
        SettingsOptions options = CommandLine.populateCommand(new SettingsOptions(), "--preset", name);

        try (DocumentLines lines = new DocumentLines(
                "-", new ByteArrayInputStream(feed.getBytes(UTF_8)), NeardupConfig.of(options.settings()))) {
            Document document = Objects.requireNonNull(lines.next());

            assertThat(document.id()).isEqualTo(id);
            assertThat(document.text().decode()).isEqualTo(text.replace("\\n", "\n"));
            assertThat(NeardupConfig.of(options.settings()).source()).isPresent();
        }
    }
}
