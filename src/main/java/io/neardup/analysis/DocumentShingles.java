package io.neardup.analysis;

import io.neardup.config.NeardupConfig;
import io.neardup.document.Document;
import io.neardup.document.RawText;
import io.neardup.text.CanonicalBuffer;
import io.neardup.text.ShingleSet;
import io.neardup.text.Shingler;
import io.neardup.text.Shingles;
import java.util.List;

/** The shingles of documents, as the service cuts them. Not thread-safe. */
final class DocumentShingles implements ShingleSource {
    private final List<Document> documents;
    private final CanonicalBuffer canonical;
    private final Shingler shingler;
    private final Shingles shingles = new Shingles();

    DocumentShingles(List<Document> documents, NeardupConfig config, long seed) {
        this.documents = documents;
        this.canonical = config.shingling().canonicalBuffer();
        this.shingler = config.shingling().shingler(seed);
    }

    @Override
    public int documents() {
        return documents.size();
    }

    /** A shingle begins with a byte of its own, or the text is shorter than one. */
    @Override
    public long shinglesMax() {
        return documents.stream()
                .mapToLong(document -> document.text().length())
                .sum();
    }

    @Override
    public ShingleSet shingles(int document) {
        RawText text = documents.get(document).text();
        canonical.set(text.array(), text.from(), text.to());
        shingler.shingle(canonical.array(), canonical.length(), shingles);
        return ShingleSet.of(shingles);
    }
}
