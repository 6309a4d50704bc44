package io.neardup.engine.similarity;

import java.util.SplittableRandom;

/** {@link FamilyContract} for families of texts of words. */
abstract class WordsContract extends FamilyContract {
    @Override
    String text(SplittableRandom random) {
        return Texts.words(random, 60);
    }

    @Override
    String edited(String text, SplittableRandom random) {
        return Texts.edited(text, random);
    }
}
