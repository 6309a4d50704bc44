package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.config.Signing;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.similarity.Family;
import io.neardup.engine.similarity.SignedText;
import io.neardup.engine.similarity.TextSigner;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.Overlap;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import io.neardup.service.http.WordDiff;
import io.neardup.service.http.WordDiff.Passage;
import io.neardup.tools.analysis.TextFile;
import io.neardup.tools.feed.UnusableFileException;
import java.io.IOException;
import java.nio.file.Path;
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
            "It tells it exactly, as their signatures estimate it, and which bands they would share.",
            "Word by word it shows what differs, in 2,000 words from the first difference on."
        },
        footer = {
            "Examples:",
            "  java -jar neardup.jar compare --text --shingle char:4 \"the red cat\" \"the cat\"",
            "  java -jar neardup.jar compare before.txt after.txt",
            "",
            "Exit code 0 whatever the similarity is."
        })
final class CompareCommand extends SettingsCommand {
    private static final int CONTEXT_WORDS = 8;
    /** Of texts that have nothing in common these take a second and some 200 MB. */
    private static final int WORDS_MAX = 2_000;

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
        String a = text(first);
        String b = text(second);
        ObjectNode report = compare(a, b, config);
        LetterCase letterCase = config.shingling().letterCase();
        print(
                () -> new TextTable()
                        .fields(report)
                        .text(verdict(report, config.threshold()))
                        .blank()
                        .text(wordDiff(NormalizedText.of(a, letterCase), NormalizedText.of(b, letterCase))),
                () -> report);
        return ExitCode.OK;
    }

    private String text(String argument) throws IOException {
        String text = isText ? argument : TextFile.read(Path.of(argument));
        if (NormalizedText.of(text).isEmpty()) {
            throw new UnusableFileException((isText ? "--text" : argument)
                    + ": expected a text, found nothing but white space, which the service does not take");
        }
        return text;
    }

    /**
     * Similarity is by the configured signature and measure, what the threshold is compared with; the estimate of it is
     * from the share of equal values of the signatures. Bands are numbered from 0.
     *
     * @throws UnsignableException when a text is not of the form that the signature compares
     */
    private static ObjectNode compare(String first, String second, NeardupConfig config) throws UnsignableException {
        // Any seed will do, as nothing is kept; a fixed one makes two runs alike.
        long seed = config.hashSeed().orElse(0);
        int hashes = Signing.of(config, seed).values();
        Family family = config.family();
        TextSigner signer = family.signer(hashes, seed);
        SignedText a = sign(signer, first);
        SignedText b = sign(signer, second);
        Banding banding = config.banding();
        BandKeys keysOfA = banding.keys(a.values());
        BandKeys keysOfB = banding.keys(b.values());
        Overlap overlap = overlap(first, second, config.shingling(), seed);
        ObjectNode report = Json.object()
                .put("signature", config.signature())
                .put(
                        "similarity",
                        family.judge(hashes, seed)
                                .similarity(a.evidence(), b.evidence())
                                .value())
                .put("shingle", config.shingling().spec())
                .put("jaccard", overlap.jaccard())
                .put("shared", overlap.shared())
                .put("onlyInFirst", overlap.first() - overlap.shared())
                .put("onlyInSecond", overlap.second() - overlap.shared())
                .put("firstInSecond", overlap.ofFirst())
                .put("secondInFirst", overlap.ofSecond())
                .put("estimate", family.similarityAt(shareOfEqual(a.values(), b.values())))
                .put("hashes", hashes)
                .put("bands", banding.bands())
                .put("threshold", config.threshold());
        ArrayNode shared = report.putArray("bandsShared");
        IntStream.range(0, banding.bands())
                .filter(band -> keysOfA.key(band) == keysOfB.key(band))
                .forEach(band -> shared.add(band));
        return report;
    }

    private static Overlap overlap(String a, String b, Shingling shingling, long seed) {
        Shingler shingler = shingling.shingler(seed);
        Shingles shingles = new Shingles();
        shingler.shingle(NormalizedText.of(a, shingling.letterCase()), shingles);
        ShingleSet setOfA = ShingleSet.of(shingles);
        shingler.shingle(NormalizedText.of(b, shingling.letterCase()), shingles);
        return setOfA.overlap(ShingleSet.of(shingles));
    }

    private static SignedText sign(TextSigner signer, String text) throws UnsignableException {
        byte[] utf8 = text.getBytes(UTF_8);
        return signer.sign(utf8, 0, utf8.length);
    }

    private static double shareOfEqual(int[] a, int[] b) {
        return IntStream.range(0, a.length).filter(at -> a[at] == b[at]).count() / (double) a.length;
    }

    private static String verdict(ObjectNode report, double threshold) {
        if (report.path("similarity").asDouble() < threshold) {
            return "Not a duplicate: below the threshold.";
        }
        return report.path("bandsShared").isEmpty()
                ? "A duplicate by the threshold, but missed: no band is shared."
                : "A duplicate: at or above the threshold.";
    }

    /**
     * Both word by word: {@code [-only in the first-]}, {@code {+only in the second+}}, the rest is shared. Long shared
     * runs are shortened.
     */
    static String wordDiff(String first, String second) {
        StringBuilder words = new StringBuilder();
        for (Passage passage : WordDiff.passages(first, second, WORDS_MAX, CONTEXT_WORDS)) {
            words.append(
                    switch (passage.in()) {
                        case BOTH -> passage.text();
                        case BOTH_UNSHOWN -> " ... " + passage.words().size() + " shared words ...";
                        case FIRST -> marked("[-", passage.text(), "-]");
                        case SECOND -> marked("{+", passage.text(), "+}");
                        case REST -> " ... (the rest is not compared)";
                    });
        }
        return words.toString().strip();
    }

    /** The space before it stays outside. */
    private static String marked(String begin, String text, String end) {
        return (text.startsWith(" ") ? " " : "") + begin + text.strip() + end;
    }
}
