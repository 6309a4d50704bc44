package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.core.message.Encoding;
import io.cloudevents.jackson.JsonFormat;
import io.cloudevents.kafka.CloudEventSerializer;
import io.neardup.config.NeardupConfig;
import io.neardup.record.Document;
import io.neardup.record.InputRecord;
import io.neardup.record.RecordHeader;
import io.neardup.tools.analysis.DocumentLines;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class PresetTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            rss | <rss><channel><item><guid>g1</guid><title>Rain</title><description>in\
             Porto</description></item></channel></rss> | g1 | Rain\\nin Porto
            scrapy | {"url":"http://a.org","title":"Rain","body":"in Porto"} | http://a.org | Rain\\nin Porto
            common-crawl | {"url":"http://a.org","title":"Rain","text":"in Porto"} | http://a.org | in Porto
            """)
    void shouldSayWhereIdAndTextAre(String name, String feed, String id, String text) throws IOException {
        SettingsOptions options = CommandLine.populateCommand(new SettingsOptions(), "--preset", name);

        try (DocumentLines lines = new DocumentLines(
                List.of("-"), new ByteArrayInputStream(feed.getBytes(UTF_8)), NeardupConfig.of(options.settings()))) {
            Document document = Objects.requireNonNull(lines.next());

            assertThat(document.id()).isEqualTo(id);
            assertThat(document.text().decode()).isEqualTo(text.replace("\\n", "\n"));
            assertThat(NeardupConfig.of(options.settings()).source()).isPresent();
        }
    }

    /** As the CloudEvents project's own serializer for Kafka writes them. */
    @ParameterizedTest
    @CsvSource({"cloudevents, STRUCTURED", "cloudevents-binary, BINARY"})
    void shouldReadCloudEvents(String name, Encoding encoding) {
        CloudEvent event = CloudEventBuilder.v1()
                .withId("e1")
                .withSource(URI.create("https://herald.example/wire"))
                .withType("example.story")
                .withData("application/json", "{\"text\":\"Rain in Porto\"}".getBytes(UTF_8))
                .build();
        NeardupConfig config = NeardupConfig.of(CommandLine.populateCommand(new SettingsOptions(), "--preset", name)
                .settings());

        InputRecord record = sent(event, encoding);

        assertThat(config.documentReaders().get().read(record)).isInstanceOfSatisfying(Document.class, document -> {
            assertThat(document.id()).isEqualTo("e1");
            assertThat(document.text().decode()).isEqualTo("Rain in Porto");
        });
        assertThat(config.source().flatMap(source -> source.in(record)))
                .isEqualTo(Optional.of("https://herald.example/wire"));
    }

    private static InputRecord sent(CloudEvent event, Encoding encoding) {
        Headers headers = new RecordHeaders();
        byte[] value;
        try (CloudEventSerializer serializer = new CloudEventSerializer()) {
            serializer.configure(
                    Map.of(
                            CloudEventSerializer.ENCODING_CONFIG,
                            encoding,
                            CloudEventSerializer.EVENT_FORMAT_CONFIG,
                            JsonFormat.CONTENT_TYPE),
                    false);
            value = serializer.serialize("documents", headers, event);
        }
        List<RecordHeader> sent = Arrays.stream(headers.toArray())
                .map(header -> new RecordHeader(header.key(), header.value()))
                .toList();
        return new InputRecord("documents", 0, 0, 0, null, value, sent);
    }
}
