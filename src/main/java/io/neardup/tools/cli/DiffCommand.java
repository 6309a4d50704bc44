package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.service.migration.ClusterView;
import io.neardup.tools.audit.DiffReport;
import io.neardup.tools.audit.ExampleTexts;
import io.neardup.tools.audit.VerdictDiff;
import io.neardup.tools.audit.VerdictLog;
import io.neardup.tools.local.Feeds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Where the verdicts of two services part. */
@Command(
        name = "diff",
        description = {"Compares the verdicts of two services on the same input.", "It tells where they part."},
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        footer = {
            "",
            "Examples: two services on a cluster, and two runs of local without one:",
            "  java -jar neardup.jar diff verdicts shadow-verdicts \\",
            "      --bootstrap-server localhost:9092",
            "  java -jar neardup.jar diff a/verdicts.jsonl b/verdicts.jsonl \\",
            "      --documents news.jsonl",
            "",
            "It compares what is on the same positions of the input, and says how much only",
            "one of them has. It changes nothing, joins no group, and its memory does not",
            "grow with the verdicts. Of topics it reads what is committed at its start; the",
            "texts of examples come from the input, where that still has them.",
            "",
            "Exit codes: 0 compared, whatever was found, 1 failed, 2 wrong usage or settings."
        })
final class DiffCommand implements Callable<Integer> {
    private static final int EXAMPLES_MAX = 100;

    @Parameters(
            index = "0",
            paramLabel = "A",
            description = "A file of verdicts, a JSON object a line, gzip or zstd or neither; else a topic of them.")
    private String first = "";

    @Parameters(index = "1", paramLabel = "B", description = "The other one.")
    private String second = "";

    @Option(
            names = "--documents",
            paramLabel = "FILE",
            description = "A file of the documents that were judged, for the texts of examples; may be repeated.")
    private List<String> documents = new ArrayList<>();

    @Option(
            names = "--examples",
            paramLabel = "N",
            description = "Show so many examples of each way to part, 0 to 100. By default ${DEFAULT-VALUE}.")
    private int examples = 3;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "Skip verdicts on a topic that were made before this: a time such as 12h or 7d before"
                    + " now, or 2026-01-31T08:00:00Z.")
    private @Nullable String since;

    @Option(names = "--json", description = "Print what is found as a JSON object, without texts.")
    private boolean json;

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Mixin
    private CommandTalk talk = new CommandTalk();

    @Override
    public Integer call() throws IOException {
        talk.check("--examples", examples, 0, EXAMPLES_MAX);
        OptionalLong sinceMillis = SinceTime.millis(since, talk);
        QuietLog.prepare();
        boolean files = isFile(first) && isFile(second);
        NeardupConfig config = config(files);
        Feeds.check(documents, Optional.empty(), config);
        if (files) {
            talk.check(since == null, "--since", "topics", "files");
            compare(VerdictLog.ofFile(first), VerdictLog.ofFile(second), config, null);
            return ExitCode.OK;
        }
        talk.askingCluster(config);
        try (ClusterView cluster = new ClusterView(config)) {
            compare(log(first, cluster, sinceMillis), log(second, cluster, sinceMillis), config, cluster);
        }
        return ExitCode.OK;
    }

    private NeardupConfig config(boolean files) {
        NeardupConfig config = NeardupConfig.of(options.settings());
        if (!files && config.bootstrapServers().isEmpty()) {
            String missing = isFile(first) ? second : first;
            throw talk.wrong(missing + ": expected a file of verdicts, found none; for a topic give"
                    + " --bootstrap-server HOST:PORT or --config");
        }
        return config;
    }

    private static VerdictLog log(String name, ClusterView cluster, OptionalLong sinceMillis) {
        return isFile(name) ? VerdictLog.ofFile(name) : VerdictLog.ofTopic(cluster, name, sinceMillis);
    }

    private static boolean isFile(String name) {
        try {
            return Files.isRegularFile(Path.of(name));
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private void compare(VerdictLog a, VerdictLog b, NeardupConfig config, @Nullable ClusterView cluster)
            throws IOException {
        DiffReport report;
        ExampleTexts texts;
        try (ProgressLines progress = talk.progress()) {
            progress.phase("reading verdicts");
            report = new VerdictDiff(a, b, examples, progress::update).run();
            texts = new ExampleTexts(config, report.examples());
            if (!json && !report.examples().isEmpty()) {
                progress.phase("looking for the texts of examples");
                readTexts(texts, List.of(a, b), cluster);
            }
        }
        talk.print(new DiffText(report, texts), json);
    }

    private void readTexts(ExampleTexts texts, List<VerdictLog> logs, @Nullable ClusterView cluster) {
        if (!documents.isEmpty()) {
            texts.readFiles(documents, System.in);
        } else if (cluster != null) {
            texts.readInput(cluster, logs);
        }
    }
}
