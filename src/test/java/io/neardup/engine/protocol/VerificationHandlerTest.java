package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import org.junit.jupiter.api.Test;

/** What waits for its turn, or for a document that has still to be read again, is bounded. */
class VerificationHandlerTest {
    private static final DocumentRef CANDIDATE = new DocumentRef(0, 1);

    private static VerificationSession request(int asker) {
        Verify request = new Verify(
                new DocumentRef(1, asker),
                1,
                0,
                0,
                Evidence.of(new byte[40 << 20]),
                BitSketch.NONE,
                DocumentRefs.of(CANDIDATE));
        return new VerificationSession(request, new OpenAnswer(request, answer -> {}), 1);
    }

    @Test
    void shouldDropAndCountWhatComesAfterTheBound() {
        VerificationHandler.SessionQueue open = new VerificationHandler.SessionQueue(64 << 20);
        for (int asker = 1; asker <= 4; asker++) {
            if (open.hasRoom()) {
                open.add(request(asker));
            }
        }
        assertThat(open.dropped()).isEqualTo(2);

        open.removeFirst();
        open.removeFirst();

        assertThat(open.isEmpty()).isTrue();
        assertThat(open.hasRoom()).isTrue();
    }

    @Test
    void shouldNotKeepAndCountWhatComesTooEarlyBeyondTheBound() {
        EarlyRequests early = new EarlyRequests();

        assertThat(early.add(CANDIDATE, "documents", request(1))).isTrue();
        assertThat(early.add(CANDIDATE, "documents", request(2))).isFalse();

        assertThat(early.dropped()).isOne();
        assertThat(early.take(CANDIDATE)).hasSize(1);
    }
}
