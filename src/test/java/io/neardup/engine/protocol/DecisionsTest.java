package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecisionsTest {
    private static final int COORDINATOR = 3;
    private static final int REMEMBERED = 1 << 15;

    private final Decisions.RecentDuplicates duplicates = new Decisions.RecentDuplicates();

    /** @param used how many sequence numbers of a block of 1,024 are of duplicates; the next one is of none */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 17, 53, 1023})
    void shouldKnowTheLastDuplicatesAndNoOthers(int used) {
        for (int i = 0; i < 3 * REMEMBERED; i++) {
            duplicates.add(duplicate(i, used), original(i));
        }

        for (int i = 0; i < 2 * REMEMBERED; i++) {
            assertThat(duplicates.originalOf(duplicate(i, used))).isNull();
        }
        for (int i = 2 * REMEMBERED; i < 3 * REMEMBERED; i++) {
            assertThat(duplicates.originalOf(duplicate(i, used))).isEqualTo(original(i));
            DocumentRef unique = new DocumentRef(COORDINATOR, i / used * 1_024L + used);
            assertThat(duplicates.originalOf(unique)).isNull();
        }
    }

    private static DocumentRef duplicate(int i, int used) {
        return new DocumentRef(COORDINATOR, i / used * 1_024L + i % used);
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
