package io.neardup.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.protocol.Message.ToHome;
import java.util.List;
import org.junit.jupiter.api.Test;

class MessageBatchTest {

    @Test
    void shouldBeTakenAgainAndAgain() {
        MessageBatch batch = new MessageBatch();
        Draws draws = new Draws(1);
        for (int i = 0; i < 500; i++) {
            List<ToHome> messages = draws.listOf(draws::toHome);
            messages.forEach(batch::add);
            assertThat(batch.messages()).isEqualTo(messages.size());
            int bytes = batch.bytes();

            byte[] value = batch.take();

            assertThat(value).hasSize(bytes);
            assertThat(MessageCodec.decodeToHome(value)).isEqualTo(messages);
            assertThat(batch.messages()).isZero();
        }
    }
}
