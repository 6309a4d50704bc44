package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.tools.feed.Skipped;
import io.neardup.tools.local.LocalSummary;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LocalReportTest {
    @Test
    void shouldNameTheFieldsWhereNoDocumentHasAText() {
        assertThat(report(summary(List.of("/nr", "/full text"))).text().lines())
                .contains("  /nr", "  /full text")
                .last()
                .asString()
                .contains("--set \"neardup.document.text=/NAME\"");
        assertThat(report(summary(List.of())).text().lines()).noneMatch(line -> line.contains("--set"));
    }

    @Test
    void shouldTellWhatAMachineIsSizedBy() {
        assertThat(report(summary(List.of())).json())
                .hasToString("{\"documents\":2,\"unique\":0,\"bounded\":0,\"duplicates\":0,\"deadLetter\":2,"
                        + "\"reasons\":{\"no-text\":2},\"seconds\":1.0,\"documentsPerSecond\":2.0,"
                        + "\"cpuMicrosPerDocument\":250000.0,"
                        + "\"memoryBytesPerOriginal\":500.0}");
    }

    private static LocalCommand.LocalReport report(LocalSummary summary) {
        return new LocalCommand.LocalReport(summary, NeardupConfig.of(new Settings()), Optional.empty());
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
                new LocalSummary.Cost(0.5, 10_000, 5_000_000),
                List.of(),
                fields,
                Skipped.Totals.NONE,
                0,
                List.of());
    }
}
