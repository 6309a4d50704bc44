package io.neardup.cli;

import io.neardup.texts.Passage;
import io.neardup.texts.WordDiff;
import java.util.ArrayList;
import java.util.List;

/**
 * Two texts word by word as lines of text: {@code [-only in the first-]}, {@code {+only in the second+}}, the rest is
 * shared. Long shared runs are shortened.
 */
final class WordDiffText {
    private static final int CONTEXT_WORDS = 8;
    private static final int LINE_LENGTH = 100;

    private WordDiffText() {}

    static List<String> lines(String first, String second) {
        List<Passage> passages = WordDiff.passages(first, second, Integer.MAX_VALUE);
        List<String> words = new ArrayList<>();
        for (int i = 0; i < passages.size(); i++) {
            String text = passages.get(i).words();
            switch (passages.get(i).in()) {
                case BOTH -> addShared(List.of(text.split(" ")), i == 0, i == passages.size() - 1, words);
                case FIRST -> words.add("[-" + text + "-]");
                case SECOND -> words.add("{+" + text + "+}");
                case REST -> words.add("...");
            }
        }
        return wrapped(words);
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
