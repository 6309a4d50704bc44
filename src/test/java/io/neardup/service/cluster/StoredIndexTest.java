package io.neardup.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.IndexSettings;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.cluster.StoredIndex.KnownTopics;
import io.neardup.streams.store.TopicNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoredIndexTest {
    private static final NeardupConfig CONFIG = NeardupConfig.of(new Settings());

    /** Changelogs are no inputs, that of stories neither where none are written any more. */
    @ParameterizedTest
    @CsvSource({"documents, 1, false", "documents, 2, true", "news, 1, true"})
    void shouldKnowWhetherItHasReadOtherInputs(String topic, int generations, boolean hasRead) {
        Map<String, List<String>> known = new HashMap<>();
        new TopicNames(CONFIG.applicationId()).changelogs().forEach(name -> known.put(name, List.of("a", "b")));
        known.put("documents", List.of("c"));
        known.put(topic, List.of("d", "e").subList(0, generations));
        IndexSettings settings = IndexSettings.of(CONFIG, 1, Map.of());

        StoredIndex index = new StoredIndex(
                "id", settings, "release", 1, new KnownTopics(known), Optional.empty(), Optional.empty());

        assertThat(index.hasReadOtherInputs(CONFIG)).isEqualTo(hasRead);
    }
}
