package io.neardup.texts;

import com.github.difflib.DiffUtils;
import com.github.difflib.patch.AbstractDelta;
import io.neardup.texts.Passage.In;
import java.util.ArrayList;
import java.util.List;

/** Two texts word by word: what both have, and what one of them has. A word ends at a space. */
public final class WordDiff {
    private final List<Passage> passages = new ArrayList<>();

    private WordDiff() {}

    /**
     * The texts from beginning to end.
     *
     * @param wordsMax how many words of each are compared, counted from the first that differs: the time grows with its
     *     square where the texts have nothing in common
     */
    public static List<Passage> passages(String first, String second, int wordsMax) {
        List<String> before = List.of(first.split(" "));
        List<String> after = List.of(second.split(" "));
        int from = sharedWords(before, after);
        int endBefore = Math.min(before.size() - from, wordsMax) + from;
        int endAfter = Math.min(after.size() - from, wordsMax) + from;
        boolean isCut = endBefore < before.size() || endAfter < after.size();
        WordDiff diff = new WordDiff();
        diff.compare(before.subList(0, endBefore), after.subList(0, endAfter), from, isCut);
        if (isCut) {
            diff.passages.add(new Passage(In.REST, ""));
        }
        return diff.passages;
    }

    /** How many words at the beginning are the same. */
    private static int sharedWords(List<String> before, List<String> after) {
        int shared = 0;
        while (shared < Math.min(before.size(), after.size())
                && before.get(shared).equals(after.get(shared))) {
            shared++;
        }
        return shared;
    }

    /** @param isCut so that what one ends with may stand behind the end of the other: it tells nothing */
    private void compare(List<String> before, List<String> after, int from, boolean isCut) {
        int at = 0;
        for (AbstractDelta<String> delta : DiffUtils.diff(
                        before.subList(from, before.size()), after.subList(from, after.size()))
                .getDeltas()) {
            int start = from + delta.getSource().getPosition();
            int end = start + delta.getSource().size();
            add(In.BOTH, before.subList(at, start));
            at = end;
            if (isCut && end == before.size() && start > from) {
                return;
            }
            add(In.FIRST, delta.getSource().getLines());
            add(In.SECOND, delta.getTarget().getLines());
        }
        add(In.BOTH, before.subList(at, before.size()));
    }

    private void add(In in, List<String> words) {
        if (!words.isEmpty()) {
            passages.add(new Passage(in, String.join(" ", words)));
        }
    }
}
