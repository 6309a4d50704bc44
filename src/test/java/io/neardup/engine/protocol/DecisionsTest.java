package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DecisionsTest {
    private static final int REMEMBERED = 1 << 15;

    private final Decisions.RecentDuplicates duplicates = new Decisions.RecentDuplicates();

    @Test
    void shouldKnowTheLastDuplicatesAndNoOthers() {
        for (int i = 0; i < 3 * REMEMBERED; i++) {
            duplicates.add(new DocumentRef(3, i), new DocumentRef(1, i / 7));
        }

        for (int i = 0; i <= 3 * REMEMBERED; i++) {
            boolean isKnown = i >= 2 * REMEMBERED && i < 3 * REMEMBERED;
            assertThat(duplicates.originalOf(new DocumentRef(3, i)))
                    .isEqualTo(isKnown ? new DocumentRef(1, i / 7) : null);
        }
    }
}
