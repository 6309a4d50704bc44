package io.neardup.jmh;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.bench.NewsDocuments;
import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** The kinds of shingles, on normalized texts of 2 KB. */
public class ShingleBenchmark extends StepBenchmark {
    private static final int BYTES = 2048;

    @Param({"char:9", "word:3", "word:1..3", "stopword:3"})
    public String spec = "char:9";

    private final byte[][] normalized = new byte[INPUTS][];
    private final Shingles scratch = new Shingles();
    private Shingler shingler = Shingler.of(spec, SEED);

    @Setup
    public void generate() {
        shingler = Shingler.of(spec, SEED);
        NewsDocuments news = new NewsDocuments(SEED, BYTES, 0);
        for (int i = 0; i < INPUTS; i++) {
            normalized[i] = NormalizedText.of(news.document(i).text()).getBytes(UTF_8);
        }
    }

    @Benchmark
    public Shingles shingle() {
        byte[] text = normalized[next()];
        shingler.shingle(text, text.length, scratch);
        return scratch;
    }
}
