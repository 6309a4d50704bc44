package io.neardup.bench;

/** Writes invented news: sentences in paragraphs, with speech, numbers and names. */
final class NewsStory {
    private static final double SPEECH = 0.15;
    private static final double PHRASE = 0.1;
    private static final double NUMBER = 0.05;
    private static final double COMMA = 0.07;
    private static final int SENTENCE_WORDS_MIN = 8;
    private static final int SENTENCE_WORDS_SPREAD = 15;
    private static final int PARAGRAPH_SENTENCES = 4;
    /** About half a sentence: a story ends with one, so it would be that much too long. */
    private static final int OVERSHOOT_CHARS = 45;

    private final Vocabulary vocabulary;

    NewsStory(Vocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    /** Whole sentences of about that many characters together, at least one. */
    String write(Draws draws, int chars) {
        StringBuilder story = new StringBuilder(chars + 4 * OVERSHOOT_CHARS);
        boolean typographic = draws.chance(0.4);
        do {
            if (story.length() > 0) {
                story.append(draws.below(PARAGRAPH_SENTENCES) == 0 ? "\n\n" : " ");
            }
            sentence(story, draws, typographic);
        } while (story.length() < chars - OVERSHOOT_CHARS);
        return story.toString();
    }

    /** Some words that begin with a capital letter. */
    String headline(Draws draws) {
        return vocabulary.name(draws) + " " + vocabulary.word(draws) + " " + vocabulary.word(draws) + " "
                + vocabulary.name(draws);
    }

    /** A sentence after a space. */
    void append(StringBuilder story, Draws draws) {
        sentence(story.append(' '), draws, false);
    }

    private void sentence(StringBuilder story, Draws draws, boolean typographic) {
        boolean speech = draws.chance(SPEECH);
        if (speech) {
            story.append(typographic ? '\u201c' : '"');
        }
        int start = story.length();
        if (draws.chance(PHRASE)) {
            story.append(vocabulary.phrase(draws)).append(' ');
        }
        words(story, draws, SENTENCE_WORDS_MIN + draws.below(SENTENCE_WORDS_SPREAD));
        story.setCharAt(start, Character.toUpperCase(story.charAt(start)));
        if (speech) {
            story.append(typographic ? "\u2019s\u201d" : "\"")
                    .append(" said ")
                    .append(vocabulary.name(draws))
                    .append(typographic ? "\u00e9" : "");
        }
        story.append('.');
    }

    private void words(StringBuilder story, Draws draws, int count) {
        for (int i = 0; i < count; i++) {
            if (i > 0) {
                story.append(draws.chance(COMMA) ? ", " : " ");
            }
            if (draws.chance(NUMBER)) {
                story.append(1 + draws.below(9_999));
            } else {
                story.append(vocabulary.word(draws));
            }
        }
    }
}
