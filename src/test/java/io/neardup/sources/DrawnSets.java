package io.neardup.sources;

import io.neardup.engine.text.Shingles;
import java.util.SplittableRandom;

/** Sets of shingles drawn at random. */
final class DrawnSets {
    private DrawnSets() {}

    /** Some shingles from one source of chance, others from another. */
    static Shingles shingles(SplittableRandom common, int count, SplittableRandom own, int ownCount) {
        Shingles shingles = new Shingles();
        for (int i = 0; i < count; i++) {
            shingles.add(common.nextLong());
        }
        for (int i = 0; i < ownCount; i++) {
            shingles.add(own.nextLong());
        }
        return shingles;
    }
}
