package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.config.Signing;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.similarity.Family;
import io.neardup.engine.similarity.SignedText;
import io.neardup.engine.similarity.Similarity;
import io.neardup.engine.similarity.TextSigner;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.Overlap;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.record.Printable;
import io.neardup.service.http.WordDiff;
import io.neardup.service.http.WordDiff.Passage;
import io.neardup.tools.analysis.TextFile;
import io.neardup.tools.feed.UnusableFileException;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
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

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Override
    public Integer call() throws IOException, UnsignableException {
        Settings settings = options.settings();
        if (shingle != null) {
            settings.set("neardup.shingle", shingle, "--shingle");
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
        // Of what cannot be a path it says that it is not there.
        File file = new File(argument);
        if (!file.exists()) {
            throw new UnusableFileException(Printable.of(argument)
                    + ": expected a file, found none; with --text A and B are compared as they stand there");
        }
        if (file.isDirectory()) {
            throw new UnusableFileException(file + ": expected a file, found a folder");
        }
        return TextFile.read(file.toPath());
    }

    private TextTable described(TextComparison found, NeardupConfig config) {
        TextTable text = new TextTable();
        text.row("A", described(first)).row("B", described(second)).blank();
        text.row("similarity", millionths(found.similarity()), "by " + found.signature());
        if (config.comparesShingles()) {
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

    /**
     * Two texts beside each other.
     *
     * @param similarity by the configured signature and measure, 0 to 1: what the threshold is compared with
     * @param shared distinct shingles of both
     * @param firstInSecond the share of the first's shingles that the second has too, 0 to 1
     * @param estimate of the similarity, from the share of equal values of the signatures; 0 where a text is blank
     * @param bandsShared numbers of the bands, from 0, in which both are in one bucket
     */
    record TextComparison(
            String signature,
            double similarity,
            String shingle,
            double jaccard,
            int shared,
            int onlyInFirst,
            int onlyInSecond,
            double firstInSecond,
            double secondInFirst,
            double estimate,
            int hashes,
            int bands,
            List<Integer> bandsShared,
            double threshold,
            @JsonIgnore String first,
            @JsonIgnore String second) {

        /** What signatures say; nothing of a blank text, which the service does not take. */
        private record BySignature(double similarity, double estimate, List<Integer> bandsShared) {
            static final BySignature NOTHING = new BySignature(0, 0, List.of());
        }

        /** @throws UnsignableException when a text is not of the form that the signature compares */
        static TextComparison of(String first, String second, NeardupConfig config) throws UnsignableException {
            String a = NormalizedText.of(first, config.shingling().letterCase());
            String b = NormalizedText.of(second, config.shingling().letterCase());
            // Any seed will do, as nothing is kept; a fixed one makes two runs alike.
            long seed = config.hashSeed().orElse(0);
            Overlap overlap = overlap(a, b, config.shingling().shingler(seed));
            BySignature signatures =
                    a.isEmpty() || b.isEmpty() ? BySignature.NOTHING : bySignature(first, second, config, seed);
            return new TextComparison(
                    config.signature(),
                    signatures.similarity,
                    config.shingling().spec(),
                    overlap.jaccard(),
                    overlap.shared(),
                    overlap.first() - overlap.shared(),
                    overlap.second() - overlap.shared(),
                    overlap.ofFirst(),
                    overlap.ofSecond(),
                    signatures.estimate,
                    Signing.of(config, seed).values(),
                    config.banding().bands(),
                    signatures.bandsShared,
                    config.threshold(),
                    a,
                    b);
        }

        private static Overlap overlap(String a, String b, Shingler shingler) {
            Shingles shingles = new Shingles();
            shingler.shingle(a, shingles);
            ShingleSet setOfA = ShingleSet.of(shingles);
            shingler.shingle(b, shingles);
            return setOfA.overlap(ShingleSet.of(shingles));
        }

        private static BySignature bySignature(String first, String second, NeardupConfig config, long seed)
                throws UnsignableException {
            Family family = config.family();
            int values = Signing.of(config, seed).values();
            TextSigner signer = family.signer(values, seed);
            SignedText a = sign(signer, first);
            SignedText b = sign(signer, second);
            Similarity similarity = family.judge(values, seed).similarity(a.evidence(), b.evidence());
            return new BySignature(
                    similarity.value(),
                    family.similarityAt(shareOfEqual(a.values(), b.values())),
                    sharedBands(
                            config.banding().keys(a.values()), config.banding().keys(b.values())));
        }

        private static SignedText sign(TextSigner signer, String text) throws UnsignableException {
            byte[] utf8 = text.getBytes(UTF_8);
            return signer.sign(utf8, 0, utf8.length);
        }

        private static double shareOfEqual(int[] a, int[] b) {
            return IntStream.range(0, a.length).filter(at -> a[at] == b[at]).count() / (double) a.length;
        }

        private static List<Integer> sharedBands(BandKeys a, BandKeys b) {
            return IntStream.range(0, a.bands())
                    .filter(band -> a.key(band) == b.key(band))
                    .boxed()
                    .toList();
        }
    }
}
