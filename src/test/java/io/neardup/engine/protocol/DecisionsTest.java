package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DecisionsTest {
    private static final int COORDINATOR = 3;
    private static final int REMEMBERED = 1 << 15;

    private final Decisions.RecentDuplicates duplicates = new Decisions.RecentDuplicates();

    @Test
    void shouldKnowTheLastThatAreDuplicatesAndNoOthers() {
        for (int i = 0; i < 3 * REMEMBERED; i += 2) {
            duplicates.add(new DocumentRef(COORDINATOR, i), original(i));
        }

        for (int i = 0; i < 2 * REMEMBERED; i++) {
            assertThat(duplicates.originalOf(new DocumentRef(COORDINATOR, i))).isNull();
        }
        for (int i = 2 * REMEMBERED; i < 3 * REMEMBERED; i++) {
            assertThat(duplicates.originalOf(new DocumentRef(COORDINATOR, i)))
                    .isEqualTo(i % 2 == 0 ? original(i) : null);
        }
    }

    @Test
    void shouldKnowTheFirst() {
        assertThat(duplicates.originalOf(new DocumentRef(0, 0))).isNull();

        duplicates.add(new DocumentRef(0, 0), new DocumentRef(0, 0));

        assertThat(duplicates.originalOf(new DocumentRef(0, 0))).isEqualTo(new DocumentRef(0, 0));
    }

    private static DocumentRef original(long duplicate) {
        return new DocumentRef(1, duplicate / 7);
    }
}
