package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes in how many documents of a file each term is. */
@Command(
        name = "weights",
        description = {
            "Writes in how many documents each term is.",
            "By these, simhash gives rare terms more weight: see neardup.simhash.frequencies."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        footer = {
            "",
            "Example:",
            "  java -jar neardup.jar tune weights news.jsonl.gz --write terms.tsv \\",
            "      --set neardup.shingle=word:1",
            "",
            "It reads the whole file. The terms are the shingles: it needs",
            "neardup.shingle=word:k."
        })
final class TuneWeightsCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = FeedCommand.FILES)
    private String file = "";

    @Option(names = "--write", paramLabel = "OUT", required = true, description = "Write the terms there.")
    private Path out = Path.of(".");

    @Option(names = "--json", description = "Print the figures as a JSON object.")
    private boolean json;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Mixin
    private CommandTalk talk = new CommandTalk();

    @Override
    public Integer call() throws IOException {
        FrequenciesRun run = talk.valid(() -> new FrequenciesRun(file, NeardupConfig.of(options.settings())));
        OutputFile.checked("--write", out, file);
        FrequenciesRun.Report report;
        try (ProgressLines progress = talk.progress()) {
            report = run.count(out, System.in, progress);
        }
        report.write();
        talk.print(report, json);
        return ExitCode.OK;
    }
}
