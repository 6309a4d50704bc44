package io.neardup.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.testing.Outputs;
import org.junit.jupiter.api.Test;

/** A new index where another has been, as by a slip in application.id. */
class NewIndexIT extends SharedWorld {
    private static final String NOTE = "is new, and its outputs hold records already";

    private DedupService start(String more) {
        return DedupService.start(config("application.id=" + applicationId + more));
    }

    private ClusterStatus status(String more) {
        NeardupConfig config = config("application.id=" + applicationId + more);
        try (ClusterView cluster = new ClusterView(config)) {
            return ClusterStatus.of(config, cluster);
        }
    }

    private static boolean tells(DedupService service) {
        return service.attention().stream().anyMatch(note -> note.contains(NOTE));
    }

    /** One that has said nothing when another, started later, has said so, has looked as well. */
    @Test
    void shouldSayThatTheOutputsHoldRecordsOfAnother() throws Exception {
        try (DedupService first = start("")) {
            feed(FIRST);
            outputs.await(FIRST.size(), PATIENCE);
            try (DedupService slip = start("-slip")) {
                await("a word of it").atMost(PATIENCE).until(() -> tells(slip));
                assertThat(slip.attention())
                        .singleElement()
                        .asString()
                        .startsWith("application.id " + applicationId + "-slip " + NOTE + ", topics [duplicate-of,"
                                + " unique]: ");
                assertThat(tells(first)).isFalse();
            }
            assertThat(status("").index().orElseThrow().outputsBeside()).isEmpty();
            assertThat(status("-slip").index().orElseThrow().outputsBeside()).containsExactly("duplicate-of", "unique");
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
                }
            }
        }
    }
}
