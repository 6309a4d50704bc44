package io.neardup.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.service.migration.ClusterView;
import io.neardup.testing.Outputs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A new index where another has been, as by a slip in application.id. */
class NewIndexIT extends SharedWorld {
    private static final String NOTE = "is new, and its outputs hold records already";

    private DedupService start(String more, String... settings) {
        List<String> pairs = new ArrayList<>(List.of(settings));
        pairs.add("application.id=" + applicationId + more);
        return DedupService.start(config(pairs.toArray(String[]::new)));
    }

    private static boolean tells(DedupService service) {
        return service.attention().stream().anyMatch(note -> note.contains(NOTE));
    }

    /** By the cluster alone. */
    private List<String> problems(String more) {
        NeardupConfig config = config("application.id=" + applicationId + more);
        try (ClusterView cluster = new ClusterView(config)) {
            ClusterStatus status = ClusterStatus.of(config, cluster);
            assertThat(status.members()).isNotEmpty();
            return status.problems();
        }
    }

    /** One that has said nothing when another, started later, has said so, has looked as well. */
    @Test
    void shouldSayThatTheOutputsHoldRecordsOfAnother() throws Exception {
        try (DedupService first = start("")) {
            feed(FIRST);
            outputs.await(FIRST.size(), PATIENCE);
            try (DedupService slip = start("-slip", "client.id=slip")) {
                await("a word of it").atMost(PATIENCE).until(() -> tells(slip));
                assertThat(slip.attention())
                        .singleElement()
                        .asString()
                        .startsWith("application.id " + applicationId + "-slip " + NOTE + ", topics [duplicate-of,"
                                + " unique]: ");
                assertThat(tells(first)).isFalse();
                await().atMost(PATIENCE)
                        .untilAsserted(() -> assertThat(problems("-slip")).isEqualTo(slip.attention()));
                assertThat(problems("")).isEmpty();
            }
            // It has the name of the one that made the index.
            try (DedupService restarted = start("-slip", "client.id=slip")) {
                await().atMost(PATIENCE).until(() -> restarted.status().isReady());
                assertThat(problems("-slip")).isEmpty();
                assertThat(tells(restarted)).isFalse();
            }
        }
        try (DedupService again = start("")) {
            for (String topic : Outputs.ALL) {
                deleteAllRecords(topic);
            }
            int before = outputs.size();
            try (DedupService emptied = start("-emptied")) {
                outputs.await(before + 1, PATIENCE);
                try (DedupService last = start("-last")) {
                    await("a word of it").atMost(PATIENCE).until(() -> tells(last));
                    assertThat(tells(emptied)).isFalse();
                    assertThat(tells(again)).isFalse();
                    assertThat(problems("-emptied")).isEmpty();
                }
            }
        }
    }
}
