package io.neardup.engine.text;

import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;

/** What hashes stand for: the shingles of texts as texts of their own. For one thread. */
public final class ShingleTexts {
    private final ShingleSpec spec;
    private final Shingler shingler;
    private final Shingles shingles = new Shingles();

    /** Of hashes under a seed; those of common shingles too. */
    public ShingleTexts(Shingling shingling, long seed) {
        this.spec = ShingleSpec.of(shingling.spec());
        this.shingler = spec.usesStopWords()
                // Shingles that begin with a stop word hash as words do.
                ? Shingler.of("word:" + spec.max(), seed)
                : shingling.whole().shingler(seed);
    }

    /** Takes the shingles that were looked for. */
    @FunctionalInterface
    public interface Taker {
        void take(long hash, String text);
    }

    /**
     * Finds shingles in a text, repeats included. A text that is shorter than a shingle has none here.
     *
     * @param normalized a text in the form of {@link NormalizedText#of}
     * @param wanted hashes to look for; of shingles that begin with no stop word too
     */
    public void find(String normalized, LongPredicate wanted, Taker taker) {
        shingler.shingle(normalized, shingles);
        if (spec.kind() == ShingleSpec.Kind.CHAR) {
            findCharacters(normalized, wanted, taker);
        } else {
            findWords(Terms.of(normalized, 1), wanted, taker);
        }
    }

    private void findCharacters(String normalized, LongPredicate wanted, Taker taker) {
        if (normalized.codePointCount(0, normalized.length()) < spec.max()) {
            return;
        }
        int from = 0;
        int to = normalized.offsetByCodePoints(0, spec.max());
        for (int i = 0; i < shingles.size(); i++) {
            if (wanted.test(shingles.hash(i))) {
                taker.take(shingles.hash(i), normalized.substring(from, to));
            }
            from += Character.charCount(normalized.codePointAt(from));
            to += to < normalized.length() ? Character.charCount(normalized.codePointAt(to)) : 0;
        }
    }

    private void findWords(List<String> tokens, LongPredicate wanted, Taker taker) {
        int[] next = new int[1];
        IntStream.rangeClosed(spec.min(), Math.min(spec.max(), tokens.size())).forEach(width -> {
            for (int from = 0; from + width <= tokens.size(); from++) {
                long hash = shingles.hash(next[0]++);
                if (wanted.test(hash)) {
                    taker.take(hash, String.join(" ", tokens.subList(from, from + width)));
                }
            }
        });
    }
}
