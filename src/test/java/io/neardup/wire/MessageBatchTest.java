package io.neardup.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.protocol.Message.ToHome;
import io.neardup.protocol.Message.Verify;
import io.neardup.protocol.Ref;
import io.neardup.protocol.Refs;
import io.neardup.sketch.BitSketch;
import io.neardup.sketch.Evidence;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageBatchTest {

    @Test
    void shouldBeFullWhenWholeTextsHaveMadeItLong() {
        MessageBatch batch = new MessageBatch(MessageCodec.VERSION);
        Evidence text = Evidence.of(new byte[50_000]);
        Verify verify = new Verify(new Ref(1, 2), 1, 3, text, BitSketch.NONE, Refs.of(new Ref(4, 5)));
        for (int i = 0; i < 3; i++) {
            assertThat(batch.isFull()).isFalse();
            batch.add(verify);
        }
        assertThat(batch.isFull()).isTrue();
        assertThat(MessageCodec.decodeToHome(batch.take())).hasSize(3).containsOnly(verify);
        assertThat(batch.isFull()).isFalse();
    }

    @Test
    void shouldBeTakenAgainAndAgain() {
        MessageBatch batch = new MessageBatch(MessageCodec.VERSION);
        RandomValues values = new RandomValues(1);
        for (int i = 0; i < 500; i++) {
            List<ToHome> messages = values.listOf(values::toHome);
            messages.forEach(batch::add);
            int bytes = batch.bytes();

            byte[] value = batch.take();

            assertThat(MessageCodec.decodeToHome(value)).isEqualTo(messages);
            assertThat(value).hasSize(bytes);
            assertThat(batch.bytes()).isOne();
        }
    }
}
