package io.neardup.jmh;

import io.neardup.bench.GeneratedDocument;
import io.neardup.bench.NewsDocuments;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.ExactJudge;
import io.neardup.engine.similarity.ExactOverlap;
import io.neardup.engine.similarity.Measure;
import io.neardup.engine.similarity.Similarity;
import io.neardup.engine.similarity.SimilarityJudge;
import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.Shingler;
import java.util.Iterator;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Verification: the exact similarity of a near-duplicate and its original. */
public class VerifyBenchmark extends StepBenchmark {
    @Param({"2048", "10240"})
    public int bytes;

    private final SimilarityJudge judge = new ExactOverlap(Shingler.of("char:9", SEED), Measure.JACCARD);
    private final Evidence[] askers = new Evidence[INPUTS];
    private final Evidence[] candidates = new Evidence[INPUTS];

    @Setup
    public void generate() {
        NewsDocuments news = new NewsDocuments(SEED, bytes, 0.5);
        Iterator<GeneratedDocument> edited = LongStream.iterate(0, number -> number + 1)
                .mapToObj(news::document)
                .filter(GeneratedDocument::isEdited)
                .iterator();
        for (int i = 0; i < INPUTS; i++) {
            GeneratedDocument document = edited.next();
            askers[i] = evidence(document);
            candidates[i] = evidence(news.document(document.original()));
        }
    }

    private static Evidence evidence(GeneratedDocument document) {
        return ExactJudge.evidence(NormalizedText.of(document.text()));
    }

    /** Another asker each time. */
    @Benchmark
    public Similarity similarity() {
        int i = next();
        return judge.similarity(askers[i], candidates[i]);
    }

    /** One asker, other candidates, mostly unrelated ones, as false candidates are: what each but the first costs. */
    @Benchmark
    public Similarity similarityOfNextCandidate() {
        return judge.similarity(askers[0], candidates[next()]);
    }
}
