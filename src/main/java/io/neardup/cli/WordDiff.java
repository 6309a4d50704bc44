package io.neardup.cli;

import com.github.difflib.DiffUtils;
import com.github.difflib.patch.AbstractDelta;
import java.util.ArrayList;
import java.util.List;

/**
 * Two texts word by word, for people: {@code [-only in the first-]}, {@code {+only in the second+}}, the rest is
 * shared. Long shared runs are shortened.
 */
final class WordDiff {
    private static final int CONTEXT_WORDS = 8;
    private static final int LINE_LENGTH = 100;

    private WordDiff() {}

    static List<String> lines(String first, String second) {
        List<String> before = List.of(first.split(" "));
        List<String> after = List.of(second.split(" "));
        List<String> words = new ArrayList<>();
        int at = 0;
        for (AbstractDelta<String> delta : DiffUtils.diff(before, after).getDeltas()) {
            addShared(before.subList(at, delta.getSource().getPosition()), at == 0, false, words);
            addChanged(delta.getSource().getLines(), "[-", "-]", words);
            addChanged(delta.getTarget().getLines(), "{+", "+}", words);
            at = delta.getSource().getPosition() + delta.getSource().size();
        }
        addShared(before.subList(at, before.size()), at == 0, true, words);
        return wrapped(words);
    }

    private static void addChanged(List<String> changed, String open, String close, List<String> words) {
        if (!changed.isEmpty()) {
            words.add(open + String.join(" ", changed) + close);
        }
    }

    private static void addShared(List<String> shared, boolean isStart, boolean isEnd, List<String> words) {
        int head = isStart ? 0 : CONTEXT_WORDS;
        int tail = isEnd ? 0 : CONTEXT_WORDS;
        int hidden = shared.size() - head - tail;
        if (hidden <= CONTEXT_WORDS) {
            words.addAll(shared);
            return;
        }
        words.addAll(shared.subList(0, head));
        words.add("... " + hidden + " shared words ...");
        words.addAll(shared.subList(shared.size() - tail, shared.size()));
    }

    private static List<String> wrapped(List<String> words) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : words) {
            if (line.length() > 0 && line.length() + 1 + word.length() > LINE_LENGTH) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
