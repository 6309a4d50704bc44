package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.figure;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.config.Signing;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.similarity.Family;
import io.neardup.engine.similarity.SignedText;
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
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

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
final class CompareCommand extends SettingsCommand {
    private static final int CONTEXT_WORDS = 8;

    @Parameters(index = "0", paramLabel = "A", description = "A file of text in UTF-8; with --text the text itself.")
    private String first = "";

    @Parameters(index = "1", paramLabel = "B", description = "The other one.")
    private String second = "";

    @Option(names = "--text", description = "A and B are the texts, and no files.")
    private boolean isText;

    @Option(names = "--shingle", paramLabel = "KIND:K", description = "As the setting neardup.shingle, over it.")
    private @Nullable String shingle;

    @Override
    public Integer call() throws IOException, UnsignableException {
        Settings settings = options.settings();
        if (shingle != null) {
            settings.set("neardup.shingle", shingle, "--shingle");
        }
        NeardupConfig config = NeardupConfig.of(settings);
        List<String> names = List.of(described(first), described(second));
        Comparison found = Comparison.of(text(first), text(second), config, names);
        print(found::text, found::json);
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

    private String described(String argument) {
        return isText ? "text of " + argument.length() + " characters" : "file " + argument;
    }

    /**
     * @param names of the texts, as they were given
     * @param a the first one, normalized
     * @param b the other one
     * @param similarity by the configured signature and measure, 0 to 1: what the threshold is compared with
     * @param estimate of the similarity, from the share of equal values of the signatures; 0 where a text is blank
     * @param bandsShared numbers of the bands, from 0, in which both are in one bucket
     */
    private record Comparison(
            NeardupConfig config,
            List<String> names,
            String a,
            String b,
            Overlap overlap,
            int hashes,
            double similarity,
            double estimate,
            List<Integer> bandsShared) {
        /** @throws UnsignableException when a text is not of the form that the signature compares */
        static Comparison of(String first, String second, NeardupConfig config, List<String> names)
                throws UnsignableException {
            String a = NormalizedText.of(first, config.shingling().letterCase());
            String b = NormalizedText.of(second, config.shingling().letterCase());
            // Any seed will do, as nothing is kept; a fixed one makes two runs alike.
            long seed = config.hashSeed().orElse(0);
            Overlap overlap = overlap(a, b, config.shingling().shingler(seed));
            int hashes = Signing.of(config, seed).values();
            if (a.isEmpty() || b.isEmpty()) {
                // The service does not take a blank text.
                return new Comparison(config, names, a, b, overlap, hashes, 0, 0, List.of());
            }
            Family family = config.family();
            TextSigner signer = family.signer(hashes, seed);
            SignedText signedA = sign(signer, first);
            SignedText signedB = sign(signer, second);
            BandKeys keysOfA = config.banding().keys(signedA.values());
            BandKeys keysOfB = config.banding().keys(signedB.values());
            return new Comparison(
                    config,
                    names,
                    a,
                    b,
                    overlap,
                    hashes,
                    family.judge(hashes, seed)
                            .similarity(signedA.evidence(), signedB.evidence())
                            .value(),
                    family.similarityAt(shareOfEqual(signedA.values(), signedB.values())),
                    IntStream.range(0, keysOfA.bands())
                            .filter(band -> keysOfA.key(band) == keysOfB.key(band))
                            .boxed()
                            .toList());
        }

        private static Overlap overlap(String a, String b, Shingler shingler) {
            Shingles shingles = new Shingles();
            shingler.shingle(a, shingles);
            ShingleSet setOfA = ShingleSet.of(shingles);
            shingler.shingle(b, shingles);
            return setOfA.overlap(ShingleSet.of(shingles));
        }

        private static SignedText sign(TextSigner signer, String text) throws UnsignableException {
            byte[] utf8 = text.getBytes(UTF_8);
            return signer.sign(utf8, 0, utf8.length);
        }

        private static double shareOfEqual(int[] a, int[] b) {
            return IntStream.range(0, a.length).filter(at -> a[at] == b[at]).count() / (double) a.length;
        }

        TextTable text() {
            TextTable text = new TextTable();
            text.row("A", names.get(0)).row("B", names.get(1)).blank();
            text.row("similarity", millionths(similarity), "by " + config.signature());
            if (config.comparesShingles()) {
                int all = overlap.first() + overlap.second() - overlap.shared();
                text.row(
                        "jaccard",
                        millionths(overlap.jaccard()),
                        overlap.shared() + " of " + all + " "
                                + config.shingling().spec() + " shingles are shared");
                text.row("containment", millionths(overlap.ofFirst()), "of A is in B");
                text.row("", millionths(overlap.ofSecond()), "of B is in A");
            }
            int inBands = config.banding().hashes();
            text.row(
                    "estimate",
                    millionths(estimate),
                    "from the signature's " + inBands + (inBands == 1 ? " value" : " values")
                            + (hashes > inBands ? " and the sketch's " + (hashes - inBands) + " more" : ""));
            text.row(
                    "bands",
                    bandsShared.size(),
                    "of " + config.banding().bands() + " shared" + (bandsShared.isEmpty() ? "" : ": " + bandsShared));
            return text.text(verdict()).blank().text(wordDiff(a, b));
        }

        private static TextTable.Figure millionths(double share) {
            return figure("%.6f", share);
        }

        private String verdict() {
            double threshold = config.threshold();
            if (a.isEmpty() || b.isEmpty()) {
                return "Nothing to compare: the service does not take blank texts.";
            }
            if (similarity < threshold) {
                return "Not a duplicate: below the threshold " + threshold + ".";
            }
            return bandsShared.isEmpty()
                    ? "A duplicate by the threshold " + threshold + ", but missed: no band is shared."
                    : "A duplicate: at or above the threshold " + threshold + ".";
        }

        ObjectNode json() {
            return Json.object()
                    .put("signature", config.signature())
                    .put("similarity", similarity)
                    .put("shingle", config.shingling().spec())
                    .put("jaccard", overlap.jaccard())
                    .put("shared", overlap.shared())
                    .put("onlyInFirst", overlap.first() - overlap.shared())
                    .put("onlyInSecond", overlap.second() - overlap.shared())
                    .put("firstInSecond", overlap.ofFirst())
                    .put("secondInFirst", overlap.ofSecond())
                    .put("estimate", estimate)
                    .put("hashes", hashes)
                    .put("bands", config.banding().bands())
                    .putPOJO("bandsShared", bandsShared)
                    .put("threshold", config.threshold());
        }
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
}
