package io.neardup.engine.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import org.junit.jupiter.api.Test;

/** What waits for its turn, or for a document that has still to be read again, is bounded. */
class VerificationHandlerTest {
    private static final DocumentRef CANDIDATE = new DocumentRef(0, 1);

    private static Verify request(int asker) {
        return new Verify(
                new DocumentRef(1, asker),
                1,
                0,
                Evidence.of(new byte[40 << 20]),
                BitSketch.NONE,
                DocumentRefs.of(CANDIDATE));
    }

    @Test
    void shouldDropAndCountWhatComesAfterTheBound() {
        VerificationHandler.OpenSessions open = new VerificationHandler.OpenSessions();
        for (int asker = 1; asker <= 4; asker++) {
            open.add(request(asker), (session, candidates) -> session.addToSift(candidates.get(0)));
        }
        assertThat(open.dropped()).isEqualTo(2);

        open.remove(open.first());
        open.remove(open.first());

        assertThat(open.isEmpty()).isTrue();
    }

    @Test
    void shouldNotKeepAndCountWhatComesTooEarlyBeyondTheBound() {
        EarlyRequests early = new EarlyRequests();
        early.add(CANDIDATE, "documents", request(1));
        early.add(CANDIDATE, "documents", request(2));

        assertThat(early.dropped()).isOne();
        assertThat(early.take(CANDIDATE)).hasSize(1);
    }
}
