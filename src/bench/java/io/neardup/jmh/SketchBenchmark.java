package io.neardup.jmh;

import io.neardup.bench.NewsDocuments;
import io.neardup.engine.similarity.FastSimilaritySketch;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NormalizedBuffer;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.record.RawText;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * The signature of a text of 2 KB where the compiler has seen texts of another length before, as in a service whose
 * texts are of all lengths. What it takes for predictable it makes a branch.
 */
public class SketchBenchmark extends StepBenchmark {
    private static final int VALUES = 125;
    private static final int BYTES = 2048;
    private static final int ROUNDS_BEFORE = 4;

    @Param({"2048", "20480"})
    public int bytesBefore;

    private final FastSimilaritySketch scheme = new FastSimilaritySketch(VALUES);
    private Shingles[] shingles = new Shingles[0];

    @Setup
    public void generate() {
        Shingles[] before = shinglesOf(bytesBefore);
        for (int round = 0; round < ROUNDS_BEFORE; round++) {
            for (Shingles each : before) {
                scheme.sign(each);
            }
        }
        shingles = shinglesOf(BYTES);
    }

    private static Shingles[] shinglesOf(int bytes) {
        NewsDocuments news = new NewsDocuments(SEED, bytes, 0);
        Shingler shingler = Shingler.of("char:9", SEED);
        NormalizedBuffer buffer = new NormalizedBuffer(LetterCase.LOWER);
        Shingles[] all = new Shingles[INPUTS];
        for (int i = 0; i < INPUTS; i++) {
            RawText text = RawText.of(news.document(i).text());
            buffer.set(text.array(), text.from(), text.to());
            all[i] = new Shingles();
            shingler.shingle(buffer.array(), buffer.length(), all[i]);
        }
        return all;
    }

    @Benchmark
    public int[] signature() {
        return scheme.sign(shingles[next()]);
    }
}
