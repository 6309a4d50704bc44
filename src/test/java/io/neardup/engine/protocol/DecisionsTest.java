package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecisionsTest {
    private static final int COORDINATOR = 3;

    private final Decisions.RecentDuplicates duplicates = new Decisions.RecentDuplicates();

    /** @param used how many sequence numbers of a block of 1,024 are of documents, every second one a duplicate */
    @ParameterizedTest
    @ValueSource(ints = {2, 6, 50, 1024})
    void shouldKnowMostOfTheLastDuplicatesAndNoOthers(int used) {
        for (int i = 0; i < 200_000; i += 2) {
            duplicates.add(document(i, used), original(i));
        }

        int known = 0;
        for (int i = 200_000 - 10_000; i < 200_000; i += 2) {
            DocumentRef original = duplicates.originalOf(document(i, used));
            assertThat(original).isIn(null, original(i));
            known += original == null ? 0 : 1;
            assertThat(duplicates.originalOf(document(i + 1, used))).isNull();
        }
        assertThat(known).isGreaterThan(4_000);
    }

    private static DocumentRef document(int i, int used) {
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
