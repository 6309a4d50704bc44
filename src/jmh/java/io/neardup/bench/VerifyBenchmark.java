package io.neardup.bench;

import io.neardup.sketch.Evidence;
import io.neardup.sketch.ExactJaccard;
import io.neardup.sketch.SimilarityJudge;
import io.neardup.text.CanonicalText;
import io.neardup.text.Shingler;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Verification: the exact similarity of two texts, of which one in forty words differs. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class VerifyBenchmark {
    private static final int PAIRS = 512;
    private static final long SEED = 42;

    @Param({"2048", "10240"})
    public int bytes;

    private final SimilarityJudge judge = new ExactJaccard(Shingler.of("char:9", SEED));
    private final Evidence[] askers = new Evidence[PAIRS];
    private final Evidence[] candidates = new Evidence[PAIRS];
    private int next;

    @Setup
    public void generate() {
        News news = new News(SEED);
        for (int i = 0; i < PAIRS; i++) {
            String text = news.text(bytes);
            askers[i] = ExactJaccard.evidence(CanonicalText.of(text));
            candidates[i] = ExactJaccard.evidence(CanonicalText.of(news.edited(text, 40)));
        }
    }

    private int next() {
        next = (next + 1) & (PAIRS - 1);
        return next;
    }

    /** Another asker each time. */
    @Benchmark
    public double similarity() {
        int i = next();
        return judge.similarity(askers[i], candidates[i]);
    }

    /** One asker, several candidates: what each but the first costs. */
    @Benchmark
    public double similarityOfNextCandidate() {
        return judge.similarity(askers[0], candidates[next()]);
    }
}
