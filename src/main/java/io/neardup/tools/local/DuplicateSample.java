package io.neardup.tools.local;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Duplicates drawn at random of all that came (Vitter 1985, algorithm R). Not thread-safe. */
final class DuplicateSample {
    private static final int SIZE_MAX = 300;

    private final SplittableRandom random = new SplittableRandom(1);
    private final List<FoundDuplicate> drawn = new ArrayList<>();
    private long seen;

    void add(String id, String originalId) {
        seen++;
        if (drawn.size() < SIZE_MAX) {
            drawn.add(new FoundDuplicate(id, originalId));
            return;
        }
        long place = random.nextLong(seen);
        if (place < SIZE_MAX) {
            drawn.set((int) place, new FoundDuplicate(id, originalId));
        }
    }

    List<FoundDuplicate> drawn() {
        return List.copyOf(drawn);
    }
}
