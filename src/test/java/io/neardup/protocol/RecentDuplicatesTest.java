package io.neardup.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecentDuplicatesTest {
    private static final int HOME = 3;
    private static final int REMEMBERED = 1 << 15;

    private final RecentDuplicates duplicates = new RecentDuplicates();

    @Test
    void shouldKnowTheLastThatAreDuplicatesAndNoOthers() {
        for (int i = 0; i < 3 * REMEMBERED; i += 2) {
            duplicates.add(new Ref(HOME, i), original(i));
        }

        for (int i = 0; i < 2 * REMEMBERED; i++) {
            assertThat(duplicates.originalOf(new Ref(HOME, i))).isNull();
        }
        for (int i = 2 * REMEMBERED; i < 3 * REMEMBERED; i++) {
            assertThat(duplicates.originalOf(new Ref(HOME, i))).isEqualTo(i % 2 == 0 ? original(i) : null);
        }
    }

    @Test
    void shouldKnowTheFirst() {
        assertThat(duplicates.originalOf(new Ref(0, 0))).isNull();

        duplicates.add(new Ref(0, 0), new Ref(0, 0));

        assertThat(duplicates.originalOf(new Ref(0, 0))).isEqualTo(new Ref(0, 0));
    }

    private static Ref original(long duplicate) {
        return new Ref(1, duplicate / 7);
    }
}
