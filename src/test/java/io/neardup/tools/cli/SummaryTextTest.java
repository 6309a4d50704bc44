package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.tools.feed.PassedOver;
import io.neardup.tools.local.LocalSummary;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SummaryTextTest {
    @Test
    void shouldNameTheFieldsWhereNoDocumentHasAText() {
        assertThat(SummaryText.lines(summary(List.of("/nr", "/full text"))))
                .contains("  /nr", "  /full text")
                .last()
                .asString()
                .contains("--set \"neardup.document.text=/NAME\"");
        assertThat(SummaryText.lines(summary(List.of()))).noneMatch(line -> line.contains("--set"));
    }

    private static LocalSummary summary(List<String> fields) {
        return new LocalSummary(
                0,
                0,
                2,
                0,
                new TreeMap<>(),
                0,
                2,
                new TreeMap<>(Map.of("no-text", 2L)),
                1,
                1,
                List.of(),
                List.of(),
                fields,
                PassedOver.NONE);
    }
}
