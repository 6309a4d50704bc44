package io.neardup.tools.analysis;

import io.neardup.engine.text.NormalizedBuffer;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.ShingleSpec;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import io.neardup.record.Document;
import io.neardup.record.RawText;
import java.util.List;

/** The shingles of documents, as the service cuts them. Not thread-safe. */
final class DocumentShingles implements ShingleSource {
    private final List<Document> documents;
    private final NormalizedBuffer normalized;
    private final ShingleSpec spec;
    private final Shingler shingler;
    private final Shingles shingles = new Shingles();

    DocumentShingles(List<Document> documents, Shingling shingling, long seed) {
        this.documents = documents;
        this.normalized = shingling.normalizedBuffer();
        this.spec = ShingleSpec.of(shingling.spec());
        this.shingler = shingling.shingler(seed);
    }

    /** The shingling of settings with another shingle. What does not count by the one, is not known of the other. */
    static Shingling cut(Shingling settings, String shingle) {
        return shingle.equals(settings.spec())
                ? settings
                : new Shingling(settings.letterCase(), shingle, settings.stopWords(), settings.shinglesMax());
    }

    @Override
    public int documents() {
        return documents.size();
    }

    /**
     * A character takes a byte. A token takes two with what divides it from the next, and begins one shingle of each
     * length. A text shorter than a shingle is one.
     */
    @Override
    public long shinglesMax() {
        return documents.stream()
                .mapToLong(document -> shinglesMax(document.text().length()))
                .sum();
    }

    private long shinglesMax(long bytes) {
        return spec.kind() == ShingleSpec.Kind.CHAR ? bytes : (bytes + 1) / 2 * (spec.max() - spec.min() + 1);
    }

    @Override
    public ShingleSet shingles(int document) {
        RawText text = documents.get(document).text();
        normalized.set(text.array(), text.from(), text.to());
        shingler.shingle(normalized.array(), normalized.length(), shingles);
        return ShingleSet.of(shingles);
    }
}
