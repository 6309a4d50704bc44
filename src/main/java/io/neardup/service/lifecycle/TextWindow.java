package io.neardup.service.lifecycle;

import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NormalizedText;
import io.neardup.record.Printable;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The texts of the unique documents that left last, and the duplicates that left last beside them. It keeps at most
 * {@value #ORIGINALS_MAX} texts of unique documents with {@value #CHARS_MAX} characters in all, {@value
 * #TEXT_CHARS_MAX} of each, and {@value #WAITING_MAX} duplicates whose original it has not seen. For one thread.
 */
final class TextWindow {
    static final int PAIRS_MAX = 5;
    static final int ORIGINALS_MAX = 10_000;
    static final int TEXT_CHARS_MAX = 20_000;
    static final int WAITING_MAX = 50;
    private static final int CHARS_MAX = 8_000_000;
    private static final int COMPARED_WORDS_MAX = 400;
    private static final int CONTEXT_WORDS = 12;

    private final LetterCase letterCase;
    private final Map<String, String> originals = new LinkedHashMap<>();
    private final Deque<Duplicate> waiting = new ArrayDeque<>();
    private final Deque<Numbered> compared = new ArrayDeque<>();
    private long chars;
    private long duplicates;

    private record Duplicate(long number, String id, String originalId, double similarity, String text) {}

    private record Numbered(long number, TextPair pair) {}

    TextWindow(LetterCase letterCase) {
        this.letterCase = letterCase;
    }

    /** Takes a unique document. */
    void unique(String id, String text) {
        String kept = cut(text);
        String replaced = originals.remove(id);
        originals.put(id, kept);
        chars += kept.length() - (replaced == null ? 0 : replaced.length());
        Iterator<String> oldest = originals.values().iterator();
        while (originals.size() > ORIGINALS_MAX || chars > CHARS_MAX) {
            chars -= oldest.next().length();
            oldest.remove();
        }
    }

    /** Takes a duplicate, which may come before its original. */
    void duplicate(String id, String originalId, double similarity, String text) {
        waiting.addFirst(new Duplicate(duplicates++, id, originalId, similarity, cut(text)));
        if (waiting.size() > WAITING_MAX) {
            waiting.removeLast();
        }
    }

    /**
     * The latest duplicates whose originals are at hand; where these are less than {@value #PAIRS_MAX}, with the latest
     * of the others. The latest first.
     */
    List<TextPair> pairs() {
        List<Duplicate> known = waiting.stream()
                .filter(duplicate -> originals.containsKey(duplicate.originalId))
                .toList();
        waiting.removeAll(known);
        List<Duplicate> latest = new ArrayList<>(known.subList(0, Math.min(PAIRS_MAX, known.size())));
        latest.sort(Comparator.comparingLong(Duplicate::number));
        latest.forEach(duplicate -> compared.addFirst(new Numbered(duplicate.number, compare(duplicate))));
        while (compared.size() > PAIRS_MAX) {
            compared.removeLast();
        }
        Stream<Numbered> others = waiting.stream()
                .limit(PAIRS_MAX - compared.size())
                .map(duplicate -> new Numbered(duplicate.number, pair(duplicate, List.of())));
        return Stream.concat(compared.stream(), others)
                .sorted(Comparator.comparingLong(Numbered::number).reversed())
                .map(Numbered::pair)
                .toList();
    }

    private TextPair compare(Duplicate duplicate) {
        String original =
                Optional.ofNullable(originals.get(duplicate.originalId)).orElse("");
        return pair(
                duplicate,
                WordDiff.passages(shown(original), shown(duplicate.text), COMPARED_WORDS_MAX, CONTEXT_WORDS));
    }

    private static TextPair pair(Duplicate duplicate, List<Passage> passages) {
        return new TextPair(duplicate.id, duplicate.originalId, duplicate.similarity, passages);
    }

    /** As it is compared; without what hides or turns the rest. */
    private String shown(String text) {
        return Printable.of(NormalizedText.of(text, letterCase));
    }

    private static String cut(String text) {
        if (text.length() <= TEXT_CHARS_MAX) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(TEXT_CHARS_MAX - 1)) ? TEXT_CHARS_MAX - 1 : TEXT_CHARS_MAX;
        return text.substring(0, end);
    }
}
