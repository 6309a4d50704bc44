package io.neardup.engine.similarity;

import java.util.Arrays;
import java.util.SplittableRandom;

/** {@link FamilyContract} for families of texts of words. */
abstract class WordsContract extends FamilyContract {
    @Override
    String text(SplittableRandom random) {
        return RandomTexts.words(random, 60);
    }

    /** With a new end, from a random place on. */
    @Override
    String edited(String text, SplittableRandom random) {
        String[] words = text.split(" ");
        int kept = random.nextInt(words.length);
        String beginning = String.join(" ", Arrays.asList(words).subList(0, kept));
        return (beginning + " " + RandomTexts.words(random, words.length - kept)).strip();
    }
}
