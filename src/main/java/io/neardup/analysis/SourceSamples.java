package io.neardup.analysis;

import io.neardup.document.Document;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Texts drawn at random from each source (Vitter 1985, algorithm R). The source of a document is its scope; those
 * without one have none. Two runs over the same documents draw the same texts. Not thread-safe.
 */
final class SourceSamples implements Consumer<Document> {
    /** Texts of a source at most. */
    static final int TEXTS_MAX = 100;

    /** Sources at most: the first that come. */
    static final int SOURCES_MAX = 1_000;

    /** Chars of all texts at most. When they are reached, no further ones are drawn. */
    private static final long CHARS_MAX = 300_000_000;

    private final Function<Document, String> canonical;
    private final long charsMax;
    private final SplittableRandom random;
    private final Map<String, Drawn> sources = new HashMap<>();
    private final List<Drawn> inOrder = new ArrayList<>();
    private long chars;
    private long passedOver;

    /** @param canonical makes the text of a document */
    SourceSamples(long seed, Function<Document, String> canonical) {
        this(seed, canonical, CHARS_MAX);
    }

    SourceSamples(long seed, Function<Document, String> canonical, long charsMax) {
        this.canonical = canonical;
        this.charsMax = charsMax;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public void accept(Document document) {
        if (document.scope().isEmpty()) {
            return;
        }
        Drawn source = sources.get(document.scope());
        if (source == null && (sources.size() == SOURCES_MAX || chars >= charsMax)) {
            passedOver++;
            return;
        }
        if (source == null) {
            source = new Drawn();
            sources.put(document.scope(), source);
            inOrder.add(source);
        }
        source.seen++;
        int drawn = source.texts.size();
        long place = drawn < TEXTS_MAX ? drawn : random.nextLong(source.seen);
        if (place < TEXTS_MAX) {
            put(source.texts, (int) place, document);
        }
    }

    private void put(List<String> texts, int place, Document document) {
        if (chars >= charsMax) {
            passedOver++;
            return;
        }
        String text = canonical.apply(document);
        chars += text.length();
        if (place == texts.size()) {
            texts.add(text);
        } else {
            chars -= texts.set(place, text).length();
        }
    }

    /** The texts of each source, in the order in which the sources came. */
    Collection<List<String>> texts() {
        return inOrder.stream().map(source -> source.texts).toList();
    }

    /** Sources met, without those that were one too many. */
    int sources() {
        return sources.size();
    }

    /** Documents of sources that could not be drawn from, as there were too many or too much text. */
    long passedOver() {
        return passedOver;
    }

    private static final class Drawn {
        final List<String> texts = new ArrayList<>();
        long seen;
    }
}
