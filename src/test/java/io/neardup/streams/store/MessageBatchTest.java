package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.DocumentRefs;
import io.neardup.engine.protocol.Message.ToCoordinator;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageBatchTest {

    @Test
    void shouldBeFullWhenWholeTextsHaveMadeItLong() {
        MessageBatch batch = new MessageBatch(MessageCodec.VERSION);
        Evidence text = Evidence.of(new byte[50_000]);
        Verify verify =
                new Verify(new DocumentRef(1, 2), 1, 3, text, BitSketch.NONE, DocumentRefs.of(new DocumentRef(4, 5)));
        for (int i = 0; i < 3; i++) {
            assertThat(batch.isFull()).isFalse();
            batch.add(verify);
        }
        assertThat(batch.isFull()).isTrue();
        assertThat(MessageCodec.decodeToCoordinator(batch.take())).hasSize(3).containsOnly(verify);
        assertThat(batch.isFull()).isFalse();
    }

    @Test
    void shouldBeTakenAgainAndAgain() {
        MessageBatch batch = new MessageBatch(MessageCodec.VERSION);
        RandomValues values = new RandomValues(1);
        for (int i = 0; i < 500; i++) {
            List<ToCoordinator> messages = values.listOf(values::toCoordinator);
            messages.forEach(batch::add);
            int bytes = batch.bytes();

            byte[] value = batch.take();

            assertThat(MessageCodec.decodeToCoordinator(value)).isEqualTo(messages);
            assertThat(value).hasSize(bytes);
            assertThat(batch.bytes()).isOne();
        }
    }
}
