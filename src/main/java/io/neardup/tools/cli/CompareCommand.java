package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.record.Printable;
import io.neardup.tools.analysis.TextFile;
import io.neardup.tools.feed.UnusableFileException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** How similar two texts are, and what of them is shared. */
@Command(
        name = "compare",
        description = {
            "Tells how similar two texts are.",
            "It tells it exactly, as their signatures estimate it, and in which bands they would meet."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        footer = {
            "",
            "Examples:",
            "  java -jar neardup.jar compare --text --shingle char:4 \"the red cat\" \"the cat\"",
            "  java -jar neardup.jar compare before.txt after.txt",
            "",
            "Exit code 0 whatever the similarity is."
        })
final class CompareCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Parameters(index = "0", paramLabel = "A", description = "A file of text in UTF-8; with --text the text itself.")
    private String first = "";

    @Parameters(index = "1", paramLabel = "B", description = "The other one.")
    private String second = "";

    @Option(names = "--text", description = "A and B are the texts, and no files.")
    private boolean isText;

    @Option(names = "--shingle", paramLabel = "KIND:K", description = "As the setting neardup.shingle, over it.")
    private @Nullable String shingle;

    @Option(
            names = "--measure",
            paramLabel = "MEASURE",
            description = "As the setting neardup.similarity.measure, over it: jaccard or containment.")
    private @Nullable String measure;

    @Option(names = "--json", description = "Print the figures as a JSON object.")
    private boolean json;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Mixin
    private CommandTalk talk = new CommandTalk();

    @Override
    public Integer call() throws IOException, UnsignableException {
        Settings settings = options.settings();
        if (shingle != null) {
            settings.set("neardup.shingle", shingle, "--shingle");
        }
        if (measure != null) {
            settings.set("neardup.similarity.measure", measure, "--measure");
        }
        NeardupConfig config = NeardupConfig.of(settings);
        TextComparison comparison = TextComparison.of(text(first), text(second), config);
        PrintWriter output = talk.out();
        if (json) {
            output.println(JSON.writeValueAsString(comparison));
        } else {
            output.println("A            " + described(first));
            output.println("B            " + described(second));
            print(comparison, config, output);
        }
        output.flush();
        return ExitCode.OK;
    }

    private String text(String argument) throws IOException {
        if (isText) {
            return argument;
        }
        Path file = file(argument);
        if (file == null || !Files.exists(file)) {
            throw new UnusableFileException(Printable.of(argument)
                    + ": expected a file, found none; with --text A and B are compared as they stand there");
        }
        if (Files.isDirectory(file)) {
            throw new UnusableFileException(file + ": expected a file, found a folder");
        }
        return TextFile.read(file);
    }

    private String described(String argument) {
        return isText ? "text of " + argument.length() + " characters" : "file " + Printable.of(argument);
    }

    private static @Nullable Path file(String argument) {
        try {
            return Path.of(argument);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private static void print(TextComparison comparison, NeardupConfig config, PrintWriter output) {
        output.printf(Locale.ROOT, "similarity   %.6f   by %s%n", comparison.similarity(), comparison.signature());
        if (config.signature().comparesShingles()) {
            printOverlap(comparison, output);
        }
        output.printf(
                Locale.ROOT,
                "estimate     %.6f   from a signature of %d %s%n",
                comparison.estimate(),
                comparison.hashes(),
                comparison.hashes() == 1 ? "value" : "values");
        output.printf(
                Locale.ROOT,
                "bands        %d of %d shared%s%n",
                comparison.bandsShared().size(),
                comparison.bands(),
                comparison.bandsShared().isEmpty() ? "" : ": " + comparison.bandsShared());
        output.println(verdict(comparison));
        output.println();
        WordDiffText.lines(comparison.first(), comparison.second()).forEach(line -> output.println(Printable.of(line)));
    }

    private static void printOverlap(TextComparison comparison, PrintWriter output) {
        output.printf(
                Locale.ROOT,
                "jaccard      %.6f   %d of %d %s shingles are shared%n",
                comparison.jaccard(),
                comparison.shared(),
                comparison.onlyInFirst() + comparison.shared() + comparison.onlyInSecond(),
                comparison.shingle());
        Double whole = comparison.whole();
        Double leftOut = comparison.leftOut();
        if (whole != null && leftOut != null) {
            output.printf(
                    Locale.ROOT,
                    "whole texts  %.6f   jaccard; %.1f %% of their shingles are common and do not count%n",
                    whole,
                    100 * leftOut);
        }
        output.printf(Locale.ROOT, "containment  %.6f   of A is in B%n", comparison.firstInSecond());
        output.printf(Locale.ROOT, "             %.6f   of B is in A%n", comparison.secondInFirst());
    }

    private static String verdict(TextComparison comparison) {
        if (comparison.first().isEmpty() || comparison.second().isEmpty()) {
            return "Nothing to compare: the service does not take blank texts.";
        }
        boolean similar = comparison.similarity() >= comparison.threshold();
        if (!similar) {
            return "Not a duplicate: below the threshold " + comparison.threshold() + ".";
        }
        return comparison.bandsShared().isEmpty()
                ? "A duplicate by the threshold " + comparison.threshold() + ", but missed: no band is shared."
                : "A duplicate: at or above the threshold " + comparison.threshold() + ".";
    }
}
