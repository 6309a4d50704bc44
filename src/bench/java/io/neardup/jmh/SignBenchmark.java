package io.neardup.jmh;

import io.neardup.bench.GeneratedDocument;
import io.neardup.bench.NewsDocuments;
import io.neardup.config.Signing;
import io.neardup.config.Signing.Scopes;
import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.ExactJudge;
import io.neardup.engine.similarity.FastSimilaritySketch;
import io.neardup.engine.similarity.Measure;
import io.neardup.engine.similarity.MinHashFamily;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.engine.similarity.Verification;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NormalizedBuffer;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.JsonDocumentReader;
import io.neardup.record.Pointers;
import io.neardup.record.RawText;
import io.neardup.record.TextKind;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** The sign step, from the bytes of a record to band keys and evidence, and the steps that it consists of. */
public class SignBenchmark extends StepBenchmark {
    private static final Banding BANDING = new Banding(25, 5);

    @Param({"600", "2048", "10240"})
    public int bytes;

    private final Pointers pointers = new Pointers("/id", List.of("/text"), null);
    private final DocumentReader reader = new JsonDocumentReader(pointers, TextKind.STRING, 1 << 20);
    private final Signing signing = new Signing(
            new MinHashFamily(new Shingling(LetterCase.LOWER, "char:9"), Measure.JACCARD, Verification.EXACT),
            BANDING,
            SEED,
            Scopes.IGNORED);
    private final Signing.DocumentSigner signer = signing.signer();
    private final Shingler shingler = Shingler.of("char:9", SEED);
    private final FastSimilaritySketch scheme = new FastSimilaritySketch(signing.values());
    private final NormalizedBuffer buffer = new NormalizedBuffer(LetterCase.LOWER);
    private final Shingles scratch = new Shingles();
    private final InputRecord[] records = new InputRecord[INPUTS];
    private final RawText[] texts = new RawText[INPUTS];
    private final NormalizedBuffer[] normalized = new NormalizedBuffer[INPUTS];
    private final Shingles[] shingles = new Shingles[INPUTS];
    private final int[][] signatures = new int[INPUTS][];

    @Setup
    public void generate() {
        NewsDocuments news = new NewsDocuments(SEED, bytes, 0);
        for (int i = 0; i < INPUTS; i++) {
            GeneratedDocument document = news.document(i);
            records[i] = new InputRecord("documents", 0, i, 0, null, document.json(), List.of());
            texts[i] = RawText.of(document.text());
            normalized[i] = new NormalizedBuffer(LetterCase.LOWER);
            normalized[i].set(texts[i].array(), texts[i].from(), texts[i].to());
            shingles[i] = new Shingles();
            shingler.shingle(normalized[i].array(), normalized[i].length(), shingles[i]);
            signatures[i] = scheme.sign(shingles[i]);
        }
    }

    @Benchmark
    public SignedDocument sign() throws UnsignableException {
        return signer.sign((Document) reader.read(records[next()]));
    }

    @Benchmark
    public DocumentReader.Result read() {
        return reader.read(records[next()]);
    }

    @Benchmark
    public NormalizedBuffer normalizedText() {
        RawText text = texts[next()];
        buffer.set(text.array(), text.from(), text.to());
        return buffer;
    }

    @Benchmark
    public Shingles shingle() {
        NormalizedBuffer text = normalized[next()];
        shingler.shingle(text.array(), text.length(), scratch);
        return scratch;
    }

    @Benchmark
    public int[] signature() {
        return scheme.sign(shingles[next()]);
    }

    @Benchmark
    public BandKeys bandKeys() {
        return BANDING.keys(signatures[next()]);
    }

    @Benchmark
    public BitSketch sketch() {
        return BitSketch.of(signatures[next()]);
    }

    @Benchmark
    public Evidence evidence() {
        return ExactJudge.evidence(normalized[next()]);
    }
}
