package io.neardup.tools.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes what many unlike documents of a file hold. */
@Command(
        name = "boilerplate",
        description = {
            "Writes what many unlike documents hold, not to count.",
            "These are the shingles of menus and templates, for the setting neardup.boilerplate."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        footer = {
            "",
            "Example:",
            "  java -jar neardup.jar tune boilerplate news.jsonl.gz \\",
            "      --write boilerplate.tsv --by /host",
            "",
            "It reads the whole file. Give the settings of the service, as the shingles are",
            "those of neardup.shingle. With an earlier neardup.boilerplate among them it",
            "tells whether that still fits."
        })
final class TuneBoilerplateCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = FeedCommand.FILES)
    private String file = "";

    @Option(names = "--write", paramLabel = "OUT", required = true, description = "Write the shingles there.")
    private Path out = Path.of(".");

    @Option(
            names = "--share",
            paramLabel = "S",
            defaultValue = "0.05",
            description = "Shingles in more than this share of the clusters of similar documents (default:"
                    + " ${DEFAULT-VALUE}; 0.005 to 0.5), and in 20 of them or more.")
    private double share;

    @Option(
            names = "--by",
            paramLabel = "POINTER",
            description = "Count within each source by itself, too, such as /host (default: the pointer of the setting"
                    + " neardup.scope, if there is one).")
    private @Nullable String by;

    @Option(names = "--json", description = "Print the figures as a JSON object.")
    private boolean json;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Mixin
    private CommandTalk talk = new CommandTalk();

    @Override
    public Integer call() throws IOException {
        talk.check(
                share >= BoilerplateRun.SHARE_MIN && share <= BoilerplateRun.SHARE_MAX,
                "--share",
                BoilerplateRun.SHARE_MIN + " to " + BoilerplateRun.SHARE_MAX,
                share);
        BoilerplateRun run = talk.valid(() -> new BoilerplateRun(file, options.settings(), share, by));
        OutputFile.checked("--write", out, file);
        BoilerplateRun.Report report;
        try (ProgressLines progress = talk.progress()) {
            report = run.count(out, System.in, progress);
        }
        report.write();
        talk.print(report, json);
        return ExitCode.OK;
    }
}
