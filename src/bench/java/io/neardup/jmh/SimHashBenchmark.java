package io.neardup.jmh;

import io.neardup.engine.similarity.DocumentFrequencies;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.ExactCosine;
import io.neardup.engine.similarity.ShingleWeights;
import io.neardup.engine.similarity.SimHash;
import io.neardup.engine.similarity.SimHashFamily;
import io.neardup.engine.similarity.Similarity;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** SimHash of texts of 2,000 words, by term frequency and by tf-idf, and the judges of its evidence. */
public class SimHashBenchmark extends StepBenchmark {
    private static final int WORDS = 2_000;
    private static final int VOCABULARY = 50_000;

    @Param({"64", "256", "1024"})
    public int bits;

    private final Shingler shingler = Shingler.of("word:1", SEED);
    private final Shingles[] features = new Shingles[INPUTS];
    private final Evidence[] texts = new Evidence[INPUTS];
    private final Evidence[] hashes = new Evidence[INPUTS];
    private SimHash byFrequency = new SimHash(64, ShingleWeights.EQUAL);
    private SimHash byRarity = byFrequency;
    private ExactCosine exact = new ExactCosine(shingler, ShingleWeights.EQUAL);

    @Setup
    public void generate() {
        ShingleWeights weights = frequencies().weights("word:1", SEED);
        byFrequency = new SimHash(bits, ShingleWeights.EQUAL);
        byRarity = new SimHash(bits, weights);
        exact = new ExactCosine(Shingler.of("word:1", SEED), weights);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < INPUTS; i++) {
            String text = text(random);
            features[i] = new Shingles();
            shingler.shingle(text, features[i]);
            texts[i] = Evidence.of(text.getBytes(StandardCharsets.UTF_8));
            hashes[i] = SimHashFamily.evidence(byFrequency.sign(features[i]));
        }
    }

    private static DocumentFrequencies frequencies() {
        Map<String, Integer> frequencies = new HashMap<>();
        for (int rank = 1; rank <= VOCABULARY; rank++) {
            frequencies.put("w" + rank, Math.max(1, 1_000_000 / rank));
        }
        return DocumentFrequencies.of(1_000_000, frequencies);
    }

    /** Words by Zipf's law: rank r about 1 / r as often as the first. */
    private static String text(SplittableRandom random) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < WORDS; i++) {
            text.append(" w").append((int) Math.pow(VOCABULARY, random.nextDouble()));
        }
        return text.substring(1);
    }

    @Benchmark
    public long[] termFrequency() {
        return byFrequency.sign(features[next()]);
    }

    @Benchmark
    public long[] inverseDocumentFrequency() {
        return byRarity.sign(features[next()]);
    }

    @Benchmark
    public Similarity exactCosine() {
        int i = next();
        return exact.similarity(texts[i], texts[(i + 1) & (INPUTS - 1)]);
    }

    @Benchmark
    public Similarity estimatedCosine() {
        int i = next();
        return SimHashFamily.estimate(hashes[i], hashes[(i + 1) & (INPUTS - 1)]);
    }
}
