package io.neardup.bench;

/** Writes invented news: sentences in paragraphs, with speech, numbers and names. */
final class NewsWriter {
    private static final double SPEECH = 0.15;
    private static final double PHRASE = 0.1;
    private static final double NUMBER = 0.05;
    private static final double COMMA = 0.07;
    private static final int SENTENCE_WORDS_MIN = 8;
    private static final int SENTENCE_WORDS_SPREAD = 15;
    private static final int PARAGRAPH_SENTENCES = 4;
    /** About half a sentence: a story ends with one, so it would be that much too long. */
    private static final int OVERSHOOT_CHARS = 45;

    private final Vocabulary vocabulary = new Vocabulary();

    /** Whole sentences of about that many characters together, at least one. */
    String write(SeededRandom random, int chars) {
        StringBuilder story = new StringBuilder(chars + 4 * OVERSHOOT_CHARS);
        boolean typographic = random.chance(0.4);
        do {
            if (story.length() > 0) {
                story.append(random.below(PARAGRAPH_SENTENCES) == 0 ? "\n\n" : " ");
            }
            sentence(story, random, typographic);
        } while (story.length() < chars - OVERSHOOT_CHARS);
        return story.toString();
    }

    /**
     * The same, of which a share of the characters is sentences of a template.
     *
     * @param template random numbers that are the same for all stories of one template
     * @param share of the characters, 0 to 1
     */
    String write(SeededRandom random, int chars, SeededRandom template, double share) {
        StringBuilder story = new StringBuilder(chars + 4 * OVERSHOOT_CHARS);
        int ofTemplate = 0;
        do {
            boolean fromTemplate = ofTemplate <= share * story.length();
            int start = story.length();
            append(story, fromTemplate ? template : random);
            ofTemplate += fromTemplate ? story.length() - start : 0;
        } while (story.length() < chars - OVERSHOOT_CHARS);
        return story.substring(1);
    }

    /** An invented name. */
    String name(SeededRandom random) {
        return vocabulary.name(random);
    }

    /** Some words that begin with a capital letter. */
    String headline(SeededRandom random) {
        return vocabulary.name(random) + " " + vocabulary.word(random) + " " + vocabulary.word(random) + " "
                + vocabulary.name(random);
    }

    /** A sentence after a space. */
    void append(StringBuilder story, SeededRandom random) {
        sentence(story.append(' '), random, false);
    }

    private void sentence(StringBuilder story, SeededRandom random, boolean typographic) {
        boolean speech = random.chance(SPEECH);
        if (speech) {
            story.append(typographic ? '\u201c' : '"');
        }
        int start = story.length();
        if (random.chance(PHRASE)) {
            story.append(vocabulary.phrase(random)).append(' ');
        }
        words(story, random, SENTENCE_WORDS_MIN + random.below(SENTENCE_WORDS_SPREAD));
        story.setCharAt(start, Character.toUpperCase(story.charAt(start)));
        if (speech) {
            story.append(typographic ? "\u2019s\u201d" : "\"")
                    .append(" said ")
                    .append(vocabulary.name(random))
                    .append(typographic ? "\u00e9" : "");
        }
        story.append('.');
    }

    private void words(StringBuilder story, SeededRandom random, int count) {
        for (int i = 0; i < count; i++) {
            if (i > 0) {
                story.append(random.chance(COMMA) ? ", " : " ");
            }
            if (random.chance(NUMBER)) {
                story.append(1 + random.below(9_999));
            } else {
                story.append(vocabulary.word(random));
            }
        }
    }
}
