package io.neardup.jmh;

import io.neardup.bench.NewsDocuments;
import io.neardup.engine.similarity.EqualityFamily;
import io.neardup.engine.similarity.Family;
import io.neardup.engine.similarity.SignedText;
import io.neardup.engine.similarity.TextSigner;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.engine.text.LetterCase;
import io.neardup.record.RawText;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Signing by the families to which texts are equal or not, from raw text to value and evidence. */
public class EqualityBenchmark extends StepBenchmark {
    @Param({"2048"})
    public int bytes;

    private final TextSigner raw = signer(EqualityFamily.ofBytes());
    private final TextSigner normalized = signer(EqualityFamily.ofNormalizedText(LetterCase.LOWER));
    private final TextSigner profile = signer(EqualityFamily.ofProfile());
    private final RawText[] texts = new RawText[INPUTS];

    private static TextSigner signer(Family family) {
        return family.signer(1, SEED);
    }

    @Setup
    public void generate() {
        NewsDocuments news = new NewsDocuments(SEED, bytes, 0);
        for (int i = 0; i < INPUTS; i++) {
            texts[i] = RawText.of(news.document(i).text());
        }
    }

    @Benchmark
    public SignedText exactRaw() throws UnsignableException {
        return sign(raw);
    }

    @Benchmark
    public SignedText exactNormalized() throws UnsignableException {
        return sign(normalized);
    }

    @Benchmark
    public SignedText profile() throws UnsignableException {
        return sign(profile);
    }

    private SignedText sign(TextSigner signer) throws UnsignableException {
        RawText text = texts[next()];
        return signer.sign(text.array(), text.from(), text.to());
    }
}
