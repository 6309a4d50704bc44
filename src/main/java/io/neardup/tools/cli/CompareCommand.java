package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.record.Printable;
import io.neardup.service.http.WordDiff;
import io.neardup.service.http.WordDiff.Passage;
import io.neardup.tools.analysis.TextFile;
import io.neardup.tools.feed.UnusableFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
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
        footer = {
            "",
            "Examples:",
            "  java -jar neardup.jar compare --text --shingle char:4 \"the red cat\" \"the cat\"",
            "  java -jar neardup.jar compare before.txt after.txt",
            "",
            "Exit code 0 whatever the similarity is."
        })
final class CompareCommand extends ReportingCommand {
    private static final int CONTEXT_WORDS = 8;

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

    @Mixin
    private SettingsOptions options = new SettingsOptions();

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
        if (isJson()) {
            out().println(Json.of(comparison));
        } else {
            described(comparison, config).print(out());
        }
        out().flush();
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

    private static @Nullable Path file(String argument) {
        try {
            return Path.of(argument);
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private TextTable described(TextComparison found, NeardupConfig config) {
        TextTable text = new TextTable();
        text.row("A", described(first)).row("B", described(second)).blank();
        text.row("similarity", millionths(found.similarity()), "by " + found.signature());
        if (config.signature().comparesShingles()) {
            addOverlap(found, text);
        }
        String values = found.hashes() == 1 ? " value" : " values";
        text.row("estimate", millionths(found.estimate()), "from a signature of " + found.hashes() + values);
        text.row(
                "bands",
                found.bandsShared().size(),
                "of " + found.bands() + " shared" + (found.bandsShared().isEmpty() ? "" : ": " + found.bandsShared()));
        text.text(verdict(found)).blank();
        return text.text(wordDiff(found.first(), found.second()));
    }

    private String described(String argument) {
        return isText ? "text of " + argument.length() + " characters" : "file " + argument;
    }

    private static TextTable.Figure millionths(double share) {
        return TextTable.figure("%.6f", share);
    }

    private static void addOverlap(TextComparison found, TextTable text) {
        int all = found.onlyInFirst() + found.shared() + found.onlyInSecond();
        text.row(
                "jaccard",
                millionths(found.jaccard()),
                found.shared() + " of " + all + " " + found.shingle() + " shingles are shared");
        Double whole = found.whole();
        Double leftOut = found.leftOut();
        if (whole != null && leftOut != null) {
            text.row(
                    "whole texts",
                    millionths(whole),
                    TextTable.format("jaccard; %.1f %% of their shingles are common and do not count", 100 * leftOut));
        }
        text.row("containment", millionths(found.firstInSecond()), "of A is in B");
        text.row("", millionths(found.secondInFirst()), "of B is in A");
    }

    /**
     * Both word by word: {@code [-only in the first-]}, {@code {+only in the second+}}, the rest is shared. Long shared
     * runs are shortened.
     */
    static String wordDiff(String first, String second) {
        StringBuilder words = new StringBuilder();
        for (Passage passage : WordDiff.passages(first, second, Integer.MAX_VALUE, CONTEXT_WORDS)) {
            words.append(
                    switch (passage.in()) {
                        case BOTH -> passage.text();
                        case BOTH_UNSHOWN -> " ... " + passage.words().size() + " shared words ...";
                        case FIRST -> marked("[-", passage.text(), "-]");
                        case SECOND -> marked("{+", passage.text(), "+}");
                        case REST -> " ...";
                    });
        }
        return words.toString().strip();
    }

    /** The space before it stays outside. */
    private static String marked(String begin, String text, String end) {
        return (text.startsWith(" ") ? " " : "") + begin + text.strip() + end;
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
