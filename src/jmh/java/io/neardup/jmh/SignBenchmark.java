package io.neardup.jmh;

import io.neardup.bench.BenchDocument;
import io.neardup.bench.NewsDocuments;
import io.neardup.document.Document;
import io.neardup.document.DocumentReader;
import io.neardup.document.InputRecord;
import io.neardup.document.JsonDocumentReader;
import io.neardup.document.Pointers;
import io.neardup.document.RawText;
import io.neardup.document.ReadResult;
import io.neardup.document.TextKind;
import io.neardup.family.MinHashFamily;
import io.neardup.family.UnsignableException;
import io.neardup.lsh.BandKeys;
import io.neardup.lsh.Banding;
import io.neardup.protocol.SignedDocument;
import io.neardup.signing.Scopes;
import io.neardup.signing.Signing;
import io.neardup.sketch.Evidence;
import io.neardup.sketch.ExactJudge;
import io.neardup.sketch.FastSimilaritySketch;
import io.neardup.sketch.Measure;
import io.neardup.sketch.Signature;
import io.neardup.sketch.Verification;
import io.neardup.text.CanonicalBuffer;
import io.neardup.text.LetterCase;
import io.neardup.text.Shingler;
import io.neardup.text.Shingles;
import io.neardup.text.Shingling;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** The sign step, from the bytes of a record to band keys and evidence, and the steps that it consists of. */
public class SignBenchmark extends StepBenchmark {
    private static final Banding BANDING = new Banding(25, 5);

    @Param({"2048", "10240"})
    public int bytes;

    private final Pointers pointers = new Pointers("/id", List.of("/text"));
    private final DocumentReader reader = new JsonDocumentReader(pointers, TextKind.STRING, 1 << 20);
    private final Signing.DocumentSigner signer = new Signing(
                    new MinHashFamily(new Shingling(LetterCase.LOWER, "char:9"), Measure.JACCARD, Verification.EXACT),
                    BANDING,
                    SEED,
                    Scopes.IGNORED)
            .signer();
    private final Shingler shingler = Shingler.of("char:9", SEED);
    private final FastSimilaritySketch scheme = new FastSimilaritySketch(BANDING.hashes());
    private final CanonicalBuffer buffer = new CanonicalBuffer(LetterCase.LOWER);
    private final Shingles scratch = new Shingles();
    private final InputRecord[] records = new InputRecord[INPUTS];
    private final RawText[] texts = new RawText[INPUTS];
    private final CanonicalBuffer[] canonical = new CanonicalBuffer[INPUTS];
    private final Shingles[] shingles = new Shingles[INPUTS];
    private final Signature[] signatures = new Signature[INPUTS];

    @Setup
    public void generate() {
        NewsDocuments news = new NewsDocuments(SEED, bytes, 0);
        for (int i = 0; i < INPUTS; i++) {
            BenchDocument document = news.document(i);
            records[i] = new InputRecord("documents", 0, i, 0, null, document.json(), List.of());
            texts[i] = RawText.of(document.text());
            canonical[i] = new CanonicalBuffer(LetterCase.LOWER);
            canonical[i].set(texts[i].array(), texts[i].from(), texts[i].to());
            shingles[i] = new Shingles();
            shingler.shingle(canonical[i].array(), canonical[i].length(), shingles[i]);
            signatures[i] = scheme.sign(shingles[i]);
        }
    }

    @Benchmark
    public SignedDocument sign() throws UnsignableException {
        return signer.sign((Document) reader.read(records[next()]));
    }

    @Benchmark
    public ReadResult read() {
        return reader.read(records[next()]);
    }

    @Benchmark
    public CanonicalBuffer canonicalText() {
        RawText text = texts[next()];
        buffer.set(text.array(), text.from(), text.to());
        return buffer;
    }

    @Benchmark
    public Shingles shingle() {
        CanonicalBuffer text = canonical[next()];
        shingler.shingle(text.array(), text.length(), scratch);
        return scratch;
    }

    @Benchmark
    public Signature signature() {
        return scheme.sign(shingles[next()]);
    }

    @Benchmark
    public BandKeys bandKeys() {
        return BANDING.keys(signatures[next()].values());
    }

    @Benchmark
    public Evidence evidence() {
        return ExactJudge.evidence(canonical[next()]);
    }
}
