package io.neardup.tools.cli;

import io.neardup.service.http.WordDiff;
import io.neardup.service.http.WordDiff.Passage;
import java.util.ArrayList;
import java.util.List;

/**
 * Two texts word by word as lines of text: {@code [-only in the first-]}, {@code {+only in the second+}}, the rest is
 * shared. Long shared runs are shortened.
 */
final class WordDiffText {
    private static final int CONTEXT_WORDS = 8;
    private static final int LINE_COLUMNS = 100;

    private WordDiffText() {}

    static List<String> lines(String first, String second) {
        List<String> words = new ArrayList<>();
        for (Passage passage : WordDiff.passages(first, second, Integer.MAX_VALUE, CONTEXT_WORDS)) {
            switch (passage.in()) {
                case BOTH -> words.addAll(passage.words());
                case BOTH_UNSHOWN -> words.add(" ... " + passage.words().size() + " shared words ...");
                case FIRST -> words.add(marked("[-", passage.text(), "-]"));
                case SECOND -> words.add(marked("{+", passage.text(), "+}"));
                case REST -> words.add(" ...");
            }
        }
        return wrapped(words);
    }

    /** The space before it stays outside. */
    private static String marked(String begin, String text, String end) {
        return (text.startsWith(" ") ? " " : "") + begin + text.strip() + end;
    }

    /** @param words each with the space before it, if there is one */
    private static List<String> wrapped(List<String> words) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        int columns = 0;
        for (String word : words) {
            int width = SideBySide.width(word);
            if (columns > 0 && columns + width > LINE_COLUMNS) {
                lines.add(line.toString());
                line.setLength(0);
                columns = 0;
            }
            line.append(columns == 0 ? word.stripLeading() : word);
            columns += width;
        }
        lines.add(line.toString());
        return lines;
    }
}
