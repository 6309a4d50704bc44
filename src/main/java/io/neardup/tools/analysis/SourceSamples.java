package io.neardup.tools.analysis;

import io.neardup.record.Document;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Texts drawn at random from each source. The source of a document is its scope; those
 * without one have none. Two runs over the same documents draw the same texts. Not thread-safe.
 */
final class SourceSamples implements Consumer<Document> {
    /** Texts of a source at most. */
    static final int TEXTS_MAX = 100;

    /** Sources at most: the first that come. */
    static final int SOURCES_MAX = 1_000;

    /** Bytes of the texts of a source at most, as for all documents. */
    private static final long SOURCE_BYTES_MAX = BoilerplateSample.BYTES_MAX;

    /** Bytes of all texts at most. When they are reached, no further ones are drawn. */
    private static final long BYTES_MAX = 300_000_000;

    private final Function<Document, ComparedText> normalized;
    private final long bytesMax;
    private final SplittableRandom random;
    private final Map<String, Reservoir<ComparedText>> sources = new LinkedHashMap<>();
    private long bytes;
    private long notDrawn;

    /** @param normalized makes the text of a document */
    SourceSamples(long seed, Function<Document, ComparedText> normalized) {
        this(seed, normalized, BYTES_MAX);
    }

    SourceSamples(long seed, Function<Document, ComparedText> normalized, long bytesMax) {
        this.normalized = normalized;
        this.bytesMax = bytesMax;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public void accept(Document document) {
        if (document.scope().isEmpty()) {
            return;
        }
        Reservoir<ComparedText> source = sources.get(document.scope());
        if (bytes >= bytesMax || (source == null && sources.size() == SOURCES_MAX)) {
            notDrawn++;
            return;
        }
        if (source == null) {
            source = new Reservoir<>(TEXTS_MAX, SOURCE_BYTES_MAX, ComparedText::heldBytes);
            sources.put(document.scope(), source);
        }
        bytes -= source.size();
        source.offer(Lots.next(random), () -> normalized.apply(document));
        bytes += source.size();
    }

    /** The texts of each source, in the order in which the sources came. */
    Collection<List<ComparedText>> texts() {
        return sources.values().stream().map(Reservoir::drawn).toList();
    }

    /** Sources met, without those that were one too many. */
    int sources() {
        return sources.size();
    }

    /** Documents of sources that could not be drawn from, as there were too many or too much text. */
    long notDrawn() {
        return notDrawn;
    }
}
