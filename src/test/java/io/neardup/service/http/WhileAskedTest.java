package io.neardup.service.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.eclipse.jetty.http.HttpURI;
import org.junit.jupiter.api.Test;

class WhileAskedTest {
    /** One that fails as no client of Kafka does. */
    private static final class Failing extends WhileAsked {
        private final CountDownLatch forgotten = new CountDownLatch(1);

        Failing() {
            super(
                    NeardupConfig.of(new Settings().pairs(List.of("bootstrap.servers=127.0.0.1:1"))),
                    new Subject("things", "topic things", "", 1, 1));
        }

        @Override
        void begin(KafkaConsumer<byte[], byte[]> consumer) {
            throw new ArithmeticException("/ by zero");
        }

        @Override
        void take(ConsumerRecord<byte[], byte[]> record) {}

        @Override
        void endSecond(KafkaConsumer<byte[], byte[]> consumer, boolean isBoundReached) {}

        @Override
        void forget() {
            forgotten.countDown();
        }
    }

    @Test
    void shouldSayWhyThereIsNothingWhateverFailed() throws InterruptedException {
        try (Failing failing = new Failing()) {
            failing.ask();
            failing.forgotten.await();

            await().untilAsserted(() -> assertThat(failing.problem())
                    .startsWith("topic things: expected to read")
                    .contains("/ by zero"));
        }
    }

    @Test
    void shouldRefuseATopicThatIsNotThere() {
        try (MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("latest")) {
            consumer.updatePartitions("stories", List.of());

            assertThatThrownBy(() -> WhileAsked.partitions(consumer, "stories"))
                    .isInstanceOf(UnknownTopicOrPartitionException.class)
                    .hasMessage("no topic stories");
        }
    }

    /** A topic that was made anew has a number behind #, which a server leaves encoded. */
    @Test
    void shouldFindThePlaceOfAStoryInAPath() {
        String path =
                HttpURI.from("http://localhost/api/stories/documents%231-0-17").getCanonicalPath();

        assertThat(StoriesEndpoint.place(path)).isEqualTo("documents#1-0-17");
    }
}
