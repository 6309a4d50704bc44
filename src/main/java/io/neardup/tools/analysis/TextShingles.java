package io.neardup.tools.analysis;

import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.ShingleSpec;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import java.util.List;

/** The shingles of normalized texts. Not thread-safe. */
final class TextShingles implements ShingleSource {
    private final List<String> texts;
    private final ShingleSpec spec;
    private final Shingler shingler;
    private final Shingles shingles = new Shingles();

    TextShingles(List<String> texts, Shingling shingling, long seed) {
        this.texts = texts;
        this.spec = ShingleSpec.of(shingling.spec());
        this.shingler = shingling.shingler(seed);
    }

    @Override
    public int documents() {
        return texts.size();
    }

    /** No shingle begins before the first char or behind the last, and of each length one begins at a place. */
    @Override
    public long shinglesMax() {
        long chars = texts.stream().mapToLong(String::length).sum();
        return chars * (spec.max() - spec.min() + 1);
    }

    @Override
    public ShingleSet shingles(int document) {
        shingler.shingle(texts.get(document), shingles);
        return ShingleSet.of(shingles);
    }
}
