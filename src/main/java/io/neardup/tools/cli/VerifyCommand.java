package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.format;

import io.neardup.config.NeardupConfig;
import io.neardup.service.migration.ClusterView;
import io.neardup.tools.audit.PromiseReport;
import io.neardup.tools.audit.PromiseReport.Break;
import io.neardup.tools.audit.PromiseVerifier;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

@Command(
        name = "verify",
        description = {
            "Checks by the topics that a service keeps its promises.",
            "These are conservation, valid-reference, no-remaining-duplicates and order. The service"
                    + " may run or not."
        },
        footer = {
            "Example, with the settings that the service runs with:",
            "  java -jar neardup.jar verify --config config/neardup.properties \\",
            "      --bootstrap-server localhost:9092",
            "",
            "It looks at what is committed at its start, and changes nothing. Where the",
            "documents do not fit into memory it looks at a sample, and says so. The outputs",
            "must be those of this one index. What was judged by another threshold, or by a",
            "shorter retention, counts as broken. So does what left before some changes of",
            "the outputs: src/docs/runbook.md names them.",
            "",
            "Exit codes: 0 no promise is broken, though one may be unknown; 1 one is, or a",
            "topic could not be read."
        })
final class VerifyCommand extends ClusterCommand {
    @Option(
            names = "--all",
            description = "Look at all documents where they do not fit into memory: as many passes over the outputs as"
                    + " that takes.")
    private boolean all;

    @Override
    public Integer call() throws IOException {
        NeardupConfig config = clusterConfig(options);
        List<PromiseReport> reports;
        try (ProgressLines progress = progress();
                ClusterView cluster = new ClusterView(config)) {
            progress.phase("reading the topics");
            reports = new PromiseVerifier(cluster, progress::update).run(all);
        }
        print(() -> text(reports), () -> byPromise(reports));
        boolean isBroken = reports.stream().anyMatch(report -> Boolean.FALSE.equals(report.held()));
        return isBroken ? ExitCode.SOFTWARE : ExitCode.OK;
    }

    private static TextTable text(List<PromiseReport> reports) {
        TextTable text = new TextTable();
        for (PromiseReport report : reports) {
            long breaks = report.breaks().stream().mapToLong(Break::count).sum();
            String outcome = report.held() == null ? "unknown" : report.held() ? "held" : "BROKEN";
            text.row(
                    report.promise(),
                    outcome,
                    report.judged(),
                    report.of() + (breaks == 0 ? "" : format(", %,d breaks", breaks)));
            report.breaks()
                    .forEach(found ->
                            text.text(format("  %,d %s, first: %s", found.count(), found.kind(), found.first())));
            report.notes().forEach(note -> text.text("  " + note));
        }
        return text;
    }

    private static Map<String, PromiseReport> byPromise(List<PromiseReport> reports) {
        Map<String, PromiseReport> byPromise = new LinkedHashMap<>();
        reports.forEach(report -> byPromise.put(report.promise(), report));
        return byPromise;
    }
}
