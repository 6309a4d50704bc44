package io.neardup.jmh;

import io.neardup.bench.NewsDocuments;
import io.neardup.engine.similarity.EqualityFamily;
import io.neardup.engine.similarity.Family;
import io.neardup.engine.similarity.Measure;
import io.neardup.engine.similarity.MinHashFamily;
import io.neardup.engine.similarity.SignedText;
import io.neardup.engine.similarity.TextSigner;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.engine.similarity.Verification;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.Shingling;
import io.neardup.record.RawText;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Signing raw texts of 2 KB by families to which they are equal or not, and by the kinds of shingles. */
public class FamilyBenchmark extends StepBenchmark {
    private static final int BYTES = 2048;

    @Param({"exact", "normalized", "textprofile", "char:9", "word:3", "word:1..3", "stopword:3"})
    public String family = "exact";

    private final RawText[] texts = new RawText[INPUTS];
    private TextSigner signer = EqualityFamily.ofBytes().signer(1, SEED);

    @Setup
    public void generate() {
        Family signing = family();
        signer = signing.signer(Math.min(signing.valuesMax(), 130), SEED);
        NewsDocuments news = new NewsDocuments(SEED, BYTES, 0);
        for (int i = 0; i < INPUTS; i++) {
            texts[i] = RawText.of(news.document(i).text());
        }
    }

    private Family family() {
        return switch (family) {
            case "exact" -> EqualityFamily.ofBytes();
            case "normalized" -> EqualityFamily.ofNormalizedText(LetterCase.LOWER);
            case "textprofile" -> EqualityFamily.ofProfile();
            default -> new MinHashFamily(new Shingling(LetterCase.LOWER, family), Measure.JACCARD, Verification.EXACT);
        };
    }

    @Benchmark
    public SignedText sign() throws UnsignableException {
        RawText text = texts[next()];
        return signer.sign(text.array(), text.from(), text.to());
    }
}
