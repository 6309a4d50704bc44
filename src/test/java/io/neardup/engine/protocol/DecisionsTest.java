package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecisionsTest {
    private static final int COORDINATOR = 3;

    private final Decisions.RecentDuplicates duplicates = new Decisions.RecentDuplicates();

    /** @param used how many sequence numbers of a block of 1,024 are of duplicates; the next one is of none */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 17, 53, 1023})
    void shouldKnowMostOfTheLastDuplicatesAndNoOthers(int used) {
        for (int i = 0; i < 100_000; i++) {
            duplicates.add(duplicate(i, used), original(i));
        }

        int known = 0;
        for (int i = 100_000 - 5_000; i < 100_000; i++) {
            DocumentRef original = duplicates.originalOf(duplicate(i, used));
            assertThat(original).isIn(null, original(i));
            known += original == null ? 0 : 1;
            DocumentRef unique = new DocumentRef(COORDINATOR, i / used * 1_024L + used);
            assertThat(duplicates.originalOf(unique)).isNull();
        }
        assertThat(known).as("by chance 4,638 are").isGreaterThan(4_500);
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
