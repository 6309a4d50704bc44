package io.neardup.bench;

import io.neardup.document.RawText;
import io.neardup.family.ExactFamily;
import io.neardup.family.Family;
import io.neardup.family.Signed;
import io.neardup.family.Signer;
import io.neardup.family.TextProfileFamily;
import io.neardup.family.UnsignableException;
import io.neardup.sketch.TextProfile;
import io.neardup.text.LetterCase;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** Signing by the families to which texts are equal or not, from raw text to value and evidence. */
public class EqualityBenchmark extends StepBenchmark {
    @Param({"2048"})
    public int bytes;

    private final Signer raw = signer(new ExactFamily(ExactFamily.Form.RAW, LetterCase.LOWER));
    private final Signer canonical = signer(new ExactFamily(ExactFamily.Form.CANONICAL, LetterCase.LOWER));
    private final Signer nutch = signer(profile(TextProfile.Order.NUTCH));
    private final Signer solr = signer(profile(TextProfile.Order.SOLR));
    private final RawText[] texts = new RawText[INPUTS];

    private static Family profile(TextProfile.Order order) {
        return new TextProfileFamily(new TextProfile(2, 0.01f, order));
    }

    private static Signer signer(Family family) {
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
    public Signed exactRaw() throws UnsignableException {
        return sign(raw);
    }

    @Benchmark
    public Signed exactCanonical() throws UnsignableException {
        return sign(canonical);
    }

    @Benchmark
    public Signed profileOfNutch() throws UnsignableException {
        return sign(nutch);
    }

    @Benchmark
    public Signed profileOfSolr() throws UnsignableException {
        return sign(solr);
    }

    private Signed sign(Signer signer) throws UnsignableException {
        RawText text = texts[next()];
        return signer.sign(text.array(), text.from(), text.to());
    }
}
