package io.neardup.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class IndexSettingsTest {
    private static final IndexSettings STORED = new IndexSettings(1, "char:9", 1, "fast-similarity", 1, 16, 8, 4, 3);

    @Test
    void shouldSurviveTheWayThroughAMap() {
        assertThat(IndexSettings.fromMap(STORED.toMap())).isEqualTo(STORED);
        assertThat(STORED.toMap().keySet())
                .containsExactly(
                        "format",
                        "canonical-text.version",
                        "neardup.shingle",
                        "shingler.version",
                        "signature",
                        "signature.version",
                        "neardup.bands",
                        "neardup.rows",
                        "neardup.bands.partitions",
                        "input.partitions");
    }

    @Test
    void shouldSayWhatDiffers() {
        IndexSettings now = new IndexSettings(1, "char:5", 1, "fast-similarity", 1, 16, 8, 4, 6);

        assertThat(now.differences(STORED))
                .containsExactly(
                        "neardup.shingle: the index was made with char:9, now char:5",
                        "input.partitions: the index was made with 3, now 6");
        assertThat(STORED.differences(STORED)).isEmpty();
    }

    @Test
    void shouldRefuseWhatItCannotRead() {
        assertThatThrownBy(() -> IndexSettings.fromMap(with("format", "2")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected format 1, found 2");
        assertThatThrownBy(() -> IndexSettings.fromMap(with("neardup.rows", "many")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected an integer for neardup.rows, found many");
        assertThatThrownBy(() -> IndexSettings.fromMap(Map.of("format", "1")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected an entry canonical-text.version");
    }

    private static Map<String, String> with(String key, String value) {
        Map<String, String> map = new LinkedHashMap<>(STORED.toMap());
        map.put(key, value);
        return map;
    }
}
