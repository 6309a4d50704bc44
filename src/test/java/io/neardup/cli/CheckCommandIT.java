package io.neardup.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.app.DedupService;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.http.HttpEndpoints;
import io.neardup.testing.Feeder;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.Outputs;
import io.neardup.testing.Records;
import io.neardup.testing.SharedBroker;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class CheckCommandIT extends CommandTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String TOKEN = "a-token-of-letters-alone";

    @RegisterExtension
    static final SharedBroker BROKER = new SharedBroker();

    @TempDir
    private Path folder;

    @Test
    void shouldTellOfWhatADocumentWouldBeADuplicate() throws Exception {
        for (String topic : Outputs.WITH_INPUT) {
            Records.createTopic(BROKER.bootstrapServers(), topic, 1);
        }
        Path token = Files.writeString(folder.resolve("token"), TOKEN + "\n");
        NeardupConfig config = NeardupConfig.forCluster(new Settings()
                .pairs(List.of(
                        "bootstrap.servers=" + BROKER.bootstrapServers(),
                        "state.dir=" + folder.resolve("state"),
                        "replication.factor=1",
                        "neardup.http.token.file=" + token,
                        "neardup.http.listen=127.0.0.1:0")));
        try (HttpEndpoints http = HttpEndpoints.open(config);
                DedupService service = DedupService.start(config);
                Outputs outputs = new Outputs(BROKER.bootstrapServers());
                Feeder feeder = new Feeder(BROKER.bootstrapServers(), "documents", 1)) {
            http.serve(service);
            feeder.feed(
                    List.of(new News("first", "the harbour bridge opens again after a year of work on its cables")));
            outputs.await(1, PATIENCE);
            await().atMost(PATIENCE).until(service::isRunning);
            String url = "http://127.0.0.1:" + http.ports().get(0);
            Path documents = Files.writeString(folder.resolve("documents.jsonl"), """
                    {"id":"copy","text":"The harbour bridge opens again after a year of work on its cables"}

                    {"id":"other","text":"nothing of the kind"}
                    {"id":"none"}
                    """);

            assertThat(execute("check", documents.toString(), "--url", url, "--token-file", token.toString()))
                    .isOne();
            assertThat(out.toString()).isEqualTo("""
                    copy  duplicate of first, 1.000 alike; unique with a threshold above that
                    other  unique; nothing like it shares a bucket
                    line 4  not checked: no-text, expected a string at /text, found none
                    """);
            assertThat(err.toString()).contains("1 of the documents were not checked");

            assertThat(execute("check", documents.toString(), "--url", url)).isOne();
            assertThat(err.toString()).contains("give --token-file");
        }
    }

    @Test
    void shouldSayThatNobodyAnswers() throws Exception {
        Path documents = Files.writeString(folder.resolve("documents.jsonl"), "{}\n");

        assertThat(execute("check", documents.toString(), "--url", "http://127.0.0.1:1"))
                .isOne();
        assertThat(err.toString())
                .contains("http://127.0.0.1:1: expected a service that answers over HTTP, found none");
    }
}
