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

    @Test
    void shouldTellWhatAMachineIsSizedBy() {
        LocalSummary summary = summary(List.of());

        assertThat(SummaryText.lines(summary))
                .anySatisfy(line -> assertThat(line).matches("documents per second +2"))
                .anySatisfy(line -> assertThat(line).matches("CPU us a document +250,000   feed, broker, .*"))
                .anySatisfy(line -> assertThat(line).matches("bytes an original +500   of heap, .*"));
        assertThat(SummaryText.json(summary))
                .hasToString("{\"documents\":2,\"unique\":0,\"bounded\":0,\"duplicates\":0,\"deadLetter\":2,"
                        + "\"seconds\":1.0,\"documentsPerSecond\":2.0,\"cpuMicrosPerDocument\":250000.0,"
                        + "\"memoryBytesPerOriginal\":500.0}");
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
                new LocalSummary.Cost(0.5, 4, 2_000),
                List.of(),
                List.of(),
                fields,
                PassedOver.NONE);
    }
}
