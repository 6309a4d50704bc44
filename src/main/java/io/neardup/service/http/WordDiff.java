package io.neardup.service.http;

import com.fasterxml.jackson.annotation.JsonValue;
import com.github.difflib.DiffUtils;
import com.github.difflib.patch.AbstractDelta;
import io.neardup.engine.text.TokenChars;
import io.neardup.service.http.WordDiff.Passage.In;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Two texts word by word: what both have, and what one of them has. A word ends at a space. Each ideograph, and each
 * character of hiragana, katakana and Thai, is a word of its own, as it is a token of word shingles.
 */
public final class WordDiff {
    /** What {@link TokenChars#isAlone} is true for. */
    private static final String ALONE = "\\p{IsIdeographic}\\p{IsHiragana}\\p{IsKatakana}\\p{IsThai}";

    private static final Pattern WORD = Pattern.compile(" ?(?:[" + ALONE + "]|[^ " + ALONE + "]+)");

    private final int contextWords;
    private final List<Passage> passages = new ArrayList<>();

    /**
     * A run of words of two texts.
     *
     * @param words each with the space before it, where there is one; the first word of a text has one too, unless it
     *     is of a script without spaces. Of {@link In#REST} none
     */
    public record Passage(In in, List<String> words) {
        public Passage {
            words = List.copyOf(words);
        }

        public enum In {
            BOTH,
            /** In both, and not to be shown, as it is far from what differs. */
            BOTH_UNSHOWN,
            FIRST,
            SECOND,
            /** What follows is not compared. */
            REST
        }

        /** For the page: where it is, and its text; of one that is not shown, how many words it has. */
        @JsonValue
        List<Object> shown() {
            return List.of(in.name().toLowerCase(Locale.ROOT), in == In.BOTH_UNSHOWN ? words.size() : text());
        }

        public String text() {
            return String.join("", words);
        }
    }

    private WordDiff(int contextWords) {
        this.contextWords = contextWords;
    }

    /**
     * The texts from beginning to end.
     *
     * @param wordsMax how many words of each are compared, counted from the first that differs: the time grows with its
     *     square where the texts have nothing in common
     * @param contextWords how many words that both have are shown on either side of what differs
     */
    public static List<Passage> passages(String first, String second, int wordsMax, int contextWords) {
        List<String> before = words(first);
        List<String> after = words(second);
        int differs = Arrays.mismatch(before.toArray(), after.toArray());
        int from = differs < 0 ? before.size() : differs;
        int endBefore = Math.min(before.size() - from, wordsMax) + from;
        int endAfter = Math.min(after.size() - from, wordsMax) + from;
        boolean isCut = endBefore < before.size() || endAfter < after.size();
        WordDiff diff = new WordDiff(contextWords);
        diff.compare(before.subList(0, endBefore), after.subList(0, endAfter), from, isCut);
        if (isCut) {
            diff.passages.add(new Passage(In.REST, List.of()));
        }
        return diff.passages;
    }

    private static List<String> words(String text) {
        boolean isSpaced = text.isEmpty() || !TokenChars.isAlone(text.codePointAt(0));
        return WORD.matcher(isSpaced ? " " + text : text)
                .results()
                .map(MatchResult::group)
                .toList();
    }

    /** @param isCut so that what one ends with may stand behind the end of the other: it means nothing */
    private void compare(List<String> before, List<String> after, int from, boolean isCut) {
        int at = 0;
        for (AbstractDelta<String> delta : DiffUtils.diff(
                        before.subList(from, before.size()), after.subList(from, after.size()))
                .getDeltas()) {
            int start = from + delta.getSource().getPosition();
            int end = start + delta.getSource().size();
            addShared(before.subList(at, start), false);
            at = end;
            if (isCut && end == before.size() && start > from) {
                return;
            }
            add(In.FIRST, delta.getSource().getLines());
            add(In.SECOND, delta.getTarget().getLines());
        }
        addShared(before.subList(at, before.size()), true);
    }

    /** Of equal texts the beginning is shown. */
    private void addShared(List<String> words, boolean isEnd) {
        int head = passages.isEmpty() && !isEnd ? 0 : contextWords;
        int tail = isEnd ? 0 : contextWords;
        if (words.size() - head - tail <= contextWords) {
            add(In.BOTH, words);
            return;
        }
        add(In.BOTH, words.subList(0, head));
        add(In.BOTH_UNSHOWN, words.subList(head, words.size() - tail));
        add(In.BOTH, words.subList(words.size() - tail, words.size()));
    }

    private void add(In in, List<String> words) {
        if (!words.isEmpty()) {
            passages.add(new Passage(in, words));
        }
    }
}
