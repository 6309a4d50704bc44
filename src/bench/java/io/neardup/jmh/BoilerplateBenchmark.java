package io.neardup.jmh;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.bench.GeneratedDocument;
import io.neardup.bench.NewsDocuments;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Family;
import io.neardup.engine.similarity.Measure;
import io.neardup.engine.similarity.MinHashFamily;
import io.neardup.engine.similarity.SignedText;
import io.neardup.engine.similarity.Similarity;
import io.neardup.engine.similarity.SimilarityJudge;
import io.neardup.engine.similarity.TextSigner;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.engine.similarity.Verification;
import io.neardup.engine.text.BoilerplateHeader;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.Shingling;
import java.util.Iterator;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Normalized texts of 2 KB, signed, and compared with their originals, with and without boilerplate shingles. A share
 * of each text is one of 20 paragraphs, whose shingles are boilerplate; the other boilerplate ones occur in no text.
 */
public class BoilerplateBenchmark extends StepBenchmark {
    private static final int BYTES = 2048;
    private static final int PARAGRAPHS = 20;
    private static final int VALUES = 130;
    private static final int K = 9;

    /** How many shingles are boilerplate; 0 is a service without any. */
    @Param({"0", "10000", "1000000"})
    public int boilerplate = 10_000;

    /** The share of each text that is boilerplate. */
    @Param({"0", "0.2"})
    public double share;

    private final byte[][] normalized = new byte[INPUTS][];
    private final Evidence[] askers = new Evidence[INPUTS];
    private final Evidence[] originals = new Evidence[INPUTS];
    private final Shingling shingling = new Shingling(LetterCase.LOWER, "char:" + K);
    private TextSigner signer = family(shingling).signer(VALUES, SEED);
    private SimilarityJudge judge = family(shingling).judge(VALUES, SEED);

    @Setup
    public void generate() {
        NewsDocuments news = new NewsDocuments(SEED, BYTES, 0.5);
        Set<String> texts = new TreeSet<>();
        Iterator<GeneratedDocument> edited = LongStream.iterate(0, number -> number + 1)
                .mapToObj(news::document)
                .filter(GeneratedDocument::isEdited)
                .iterator();
        for (int i = 0; i < INPUTS; i++) {
            String paragraph = NormalizedText.of(
                            news.document(1_000_000L + i % PARAGRAPHS).text())
                    .substring(0, (int) (BYTES * share));
            for (int at = 0; at + K <= paragraph.length(); at++) {
                texts.add(paragraph.substring(at, at + K));
            }
            GeneratedDocument document = edited.next();
            normalized[i] = behind(paragraph, document);
            askers[i] = Evidence.of(normalized[i]);
            originals[i] = Evidence.of(behind(paragraph, news.document(document.original())));
        }
        if (boilerplate > 0) {
            Family family = family(shingling.without(filledUp(texts)));
            signer = family.signer(VALUES, SEED);
            judge = family.judge(VALUES, SEED);
        }
    }

    private static byte[] behind(String paragraph, GeneratedDocument document) {
        String text = paragraph + NormalizedText.of(document.text());
        return text.substring(0, Math.min(BYTES, text.length())).getBytes(UTF_8);
    }

    private static Family family(Shingling shingling) {
        return new MinHashFamily(shingling, Measure.JACCARD, Verification.EXACT);
    }

    private BoilerplateShingles filledUp(Set<String> texts) {
        SplittableRandom random = new SplittableRandom(SEED);
        while (texts.size() < boilerplate) {
            StringBuilder text = new StringBuilder();
            random.ints(K, 'a', 'z' + 1).forEach(text::appendCodePoint);
            texts.add(text.toString());
        }
        BoilerplateShingles.Builder builder =
                new BoilerplateShingles.Builder(BoilerplateHeader.of(shingling, 1000, 1000, 0, 0.05));
        texts.forEach(text -> builder.add(50, text));
        return builder.build();
    }

    @Benchmark
    public SignedText sign() throws UnsignableException {
        byte[] text = normalized[next()];
        return signer.sign(text, 0, text.length);
    }

    /** What a duplicate costs: the similarity, and that of the whole texts where it is another. */
    @Benchmark
    public Similarity similarity() {
        int i = next();
        Similarity similarity = judge.similarity(askers[i], originals[i]);
        return similarity.knowsWhole() ? similarity : similarity.withWhole(judge.whole(askers[i], originals[i]));
    }

    /** One asker, other candidates, mostly unrelated ones, as false candidates are: what each but the first costs. */
    @Benchmark
    public Similarity similarityOfNextCandidate() {
        return judge.similarity(askers[0], originals[next()]);
    }
}
