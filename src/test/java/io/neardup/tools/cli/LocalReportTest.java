package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.tools.feed.Skipped;
import io.neardup.tools.local.LocalSummary;
import java.io.PrintWriter;
import java.io.StringWriter;
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
        LocalSummary summary = summary(new LocalSummary.Cost(0.5, 10_000, 5_000_000), List.of());

        assertThat(report(summary).json())
                .hasToString("{\"documents\":2,\"unique\":0,\"bounded\":0,\"duplicates\":0,\"deadLetter\":2,"
                        + "\"seconds\":1.0,\"documentsPerSecond\":2.0,\"cpuMicrosPerDocument\":250000.0,"
                        + "\"memoryBytesPerOriginal\":500.0}");
    }

    private static LocalReport report(LocalSummary summary) {
        return new LocalReport(summary, NeardupConfig.of(new Settings()), Optional.empty());
    }

    private static LocalSummary summary(List<String> fields) {
        return summary(new LocalSummary.Cost(0.5, 4, 2_000), fields);
    }

    private static LocalSummary summary(LocalSummary.Cost cost, List<String> fields) {
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
                cost,
                List.of(),
                fields,
                Skipped.Totals.NONE,
                0,
                List.of());
    }

    private final StringWriter out = new StringWriter();

    @Test
    void shouldTellAllThatAnInstanceTellsOfItself() throws JsonProcessingException {
        String told = "{'applicationId':'new','instance':{'state':'busy','tasks':1200,'alerts':['no space'],"
                + "'seeding':{'topic':'corpus','recordsRead':1500},'documents':{'unique':7,'byReason':{'no-text':1}}}}";

        new StatusCommand.InstanceStatus("http://here", new ObjectMapper().readTree(told.replace("'", "\"")))
                .text()
                .print(new PrintWriter(out, true));

        assertThat(CommandTest.words(out.toString()))
                .startsWith("application.id new url http://here look at no space state busy tasks 1,200 seeding topic"
                        + " corpus, records read 1,500 documents unique 7, by reason (no-text 1) group not known");
    }
}
