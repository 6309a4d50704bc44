package io.neardup.tools.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.config.NeardupConfig;
import io.neardup.record.Printable;
import io.neardup.service.migration.ClusterView;
import io.neardup.tools.audit.PromiseReport;
import io.neardup.tools.audit.PromiseVerifier;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether a service has kept its promises, by its topics. */
@Command(
        name = "verify",
        description = {
            "Checks by the topics that a service keeps its promises.",
            "These are conservation, valid-reference, no-remaining-duplicates and order. The service"
                    + " may run or not."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        footer = {
            "",
            "Example, with the settings that the service runs with:",
            "  java -jar neardup.jar verify --config config/neardup.properties \\",
            "      --bootstrap-server localhost:9092",
            "",
            "It looks at what is committed at its start, and changes nothing. Its memory is",
            "bounded: where the documents do not fit it looks at a sample of originals and of",
            "buckets, and says so. Similarities are computed as the service does it. What a",
            "document was judged by another threshold for counts as broken. The outputs must",
            "be those of this one index. Where verdicts are written, they are checked, too.",
            "",
            "Exit codes: 0 nothing breaks a promise, 1 something does or could not be read,",
            "2 wrong usage or settings."
        })
final class VerifyCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Option(
            names = "--all",
            description = "Look at all documents where they do not fit into memory: as many passes over the outputs as"
                    + " that takes.")
    private boolean all;

    @Option(names = "--json", description = "Print what is found as a JSON object.")
    private boolean json;

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Mixin
    private CommandTalk talk = new CommandTalk();

    @Override
    public Integer call() throws IOException {
        QuietLog.prepare();
        NeardupConfig config = NeardupConfig.forCluster(options.settings());
        talk.askingCluster(config);
        List<PromiseReport> reports;
        try (ProgressLines progress = talk.progress();
                ClusterView cluster = new ClusterView(config)) {
            progress.phase("reading the topics");
            reports = new PromiseVerifier(config, cluster, progress::update).run(all);
        }
        print(reports);
        return reports.stream().allMatch(PromiseReport::isHeld) ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private void print(List<PromiseReport> reports) throws JsonProcessingException {
        PrintWriter output = talk.out();
        if (json) {
            output.println(json(reports));
        } else {
            int width = reports.stream()
                    .mapToInt(report -> report.promise().length() + 1)
                    .max()
                    .orElseThrow();
            reports.forEach(report -> print(report, width, output));
        }
        output.flush();
    }

    private static void print(PromiseReport report, int width, PrintWriter output) {
        output.printf(
                Locale.ROOT,
                "%-" + width + "s %-7s %,d %s%s%n",
                report.promise(),
                report.isHeld() ? (report.isKnown() ? "held" : "unknown") : "BROKEN",
                report.judged(),
                report.of(),
                report.isHeld()
                        ? ""
                        : String.format(
                                Locale.ROOT, ", %,d breaks", report.breaks().count()));
        report.breaks()
                .kinds()
                .forEach((kind, found) -> output.printf(
                        Locale.ROOT, "  %,d %s, first: %s%n", found.count(), kind, Printable.of(found.witness())));
        report.notes().forEach(note -> output.println("  " + note));
    }

    /** @param held null where it could not be looked at */
    private record Found(@Nullable Boolean held, long judged, List<FoundBreak> breaks, List<String> notes) {
        static Found of(PromiseReport report) {
            List<FoundBreak> breaks = new ArrayList<>();
            report.breaks()
                    .kinds()
                    .forEach((kind, found) -> breaks.add(new FoundBreak(kind, found.count(), found.witness())));
            return new Found(report.isKnown() ? report.isHeld() : null, report.judged(), breaks, report.notes());
        }
    }

    private record FoundBreak(String kind, long count, String first) {}

    private static String json(List<PromiseReport> reports) throws JsonProcessingException {
        Map<String, Found> byPromise = new LinkedHashMap<>();
        reports.forEach(report -> byPromise.put(report.promise(), Found.of(report)));
        return JSON.writeValueAsString(byPromise);
    }
}
