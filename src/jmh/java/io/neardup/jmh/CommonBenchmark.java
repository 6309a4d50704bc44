package io.neardup.jmh;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.bench.NewsDocuments;
import io.neardup.text.CanonicalText;
import io.neardup.text.CommonHeader;
import io.neardup.text.CommonShingles;
import io.neardup.text.LetterCase;
import io.neardup.text.Shingler;
import io.neardup.text.Shingles;
import io.neardup.text.Shingling;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Canonical texts of 2 KB, cut with and without common shingles. A fifth of each text is one of 20 paragraphs, whose
 * shingles are common; the other common ones occur in no text.
 */
public class CommonBenchmark extends StepBenchmark {
    private static final int BYTES = 2048;
    private static final int PARAGRAPH = BYTES / 5;
    private static final int PARAGRAPHS = 20;
    private static final int K = 9;

    @Param({"10000", "1000000"})
    public int common = 10_000;

    private final byte[][] canonical = new byte[INPUTS][];
    private final Shingles scratch = new Shingles();
    private final Shingling shingling = new Shingling(LetterCase.LOWER, "char:" + K);
    private final Shingler whole = shingling.shingler(SEED);
    private Shingler filtering = whole;

    @Setup
    public void generate() {
        NewsDocuments news = new NewsDocuments(SEED, BYTES, 0);
        TreeSet<String> texts = new TreeSet<>();
        for (int i = 0; i < INPUTS; i++) {
            String paragraph = CanonicalText.of(
                            news.document(INPUTS + i % PARAGRAPHS).text())
                    .substring(0, PARAGRAPH);
            for (int at = 0; at + K <= PARAGRAPH; at++) {
                texts.add(paragraph.substring(at, at + K));
            }
            String text = paragraph + CanonicalText.of(news.document(i).text());
            canonical[i] = text.substring(0, Math.min(BYTES, text.length())).getBytes(UTF_8);
        }
        filtering = shingling.without(filledUp(texts)).shingler(SEED);
    }

    private CommonShingles filledUp(TreeSet<String> texts) {
        SplittableRandom random = new SplittableRandom(SEED);
        while (texts.size() < common) {
            StringBuilder text = new StringBuilder();
            random.ints(K, 'a', 'z' + 1).forEach(text::appendCodePoint);
            texts.add(text.toString());
        }
        try (CommonShingles.Builder builder =
                new CommonShingles.Builder(CommonHeader.of(shingling, 1000, 1000, 0, 0.05))) {
            texts.forEach(text -> builder.add(50, text));
            return builder.build();
        }
    }

    @Benchmark
    public Shingles whole() {
        return cut(whole);
    }

    @Benchmark
    public Shingles filtered() {
        return cut(filtering);
    }

    private Shingles cut(Shingler shingler) {
        byte[] text = canonical[next()];
        shingler.shingle(text, text.length, scratch);
        return scratch;
    }
}
