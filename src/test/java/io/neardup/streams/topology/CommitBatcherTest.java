package io.neardup.streams.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.DocumentRefs;
import io.neardup.engine.protocol.Message;
import io.neardup.engine.protocol.Message.Lookup;
import io.neardup.engine.protocol.Message.Remove;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.BitSketch;
import io.neardup.engine.similarity.Evidence;
import io.neardup.streams.store.MessageCodec;
import java.util.List;
import java.util.Set;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommitBatcherTest {
    private static final BandKeys KEYS = BandKeys.owning(new long[] {1, 2});

    private final MockProcessorContext<Routed, byte[]> context = new MockProcessorContext<>();
    private final CommitBatcher<Message> batcher = new CommitBatcher<>(context, "sink", MessageCodec::batch);

    CommitBatcherTest() {
        context.setCurrentSystemTimeMs(1_000);
    }

    private static Lookup lookup(long sequence) {
        return new Lookup(new DocumentRef(0, sequence), 1, KEYS);
    }

    private static Verify verify(long sequence, int bytes) {
        return new Verify(
                new DocumentRef(0, sequence),
                0,
                0,
                1,
                Evidence.of(new byte[bytes]),
                BitSketch.NONE,
                DocumentRefs.of(List.of(new DocumentRef(1, 1))));
    }

    @Test
    void shouldSendEachReceiverOneRecordOfAllItsMessagesInOrderAndNothingTwice() {
        Remove remove = new Remove(new DocumentRef(0, 1), KEYS);
        batcher.add(2, lookup(1));
        batcher.add(0, lookup(1));
        batcher.add(2, remove);
        batcher.add(2, lookup(2));
        assertThat(context.forwarded()).isEmpty();
        batcher.sendAll();
        batcher.sendAll();
        var sent = context.forwarded("sink");
        assertThat(sent)
                .extracting(forward -> forward.record().key().partition())
                .containsExactly(2, 0);
        assertThat(MessageCodec.decodeToIndex(sent.get(0).record().value()))
                .isEqualTo(List.<Message>of(lookup(1), remove, lookup(2)));
    }

    @Test
    void shouldSendTheMessagesOfAReceiverWhenTheyFillARecord() {
        batcher.add(1, lookup(1));
        batcher.add(0, verify(1, 100_000));
        assertThat(context.forwarded()).isEmpty();

        batcher.add(0, verify(2, 100_000));

        assertThat(context.forwarded())
                .extracting(forward -> forward.record().key().partition())
                .containsExactly(0);
    }

    @Test
    void shouldSendAllAtItsBoundAndCountAnewFromThere() {
        for (int round = 1; round <= 3; round++) {
            for (int receiver = 0; receiver < 10; receiver++) {
                batcher.add(receiver, verify(receiver, 100_000));
            }
            assertThat(context.forwarded()).hasSize(11 * (round - 1));
            batcher.add(10, verify(10, 100_000));
            assertThat(context.forwarded()).hasSize(11 * round);
        }
    }

    // ---- where records go

    @ParameterizedTest
    @CsvSource({"0, 1, 0", "3, 1, 0", "3, 4, 3", "7, 4, 3", "31999, 1000, 999"})
    void shouldGoToItsPartitionModuloThoseOfTheTopic(int partition, int partitions, int expected) {
        Routed routed = new Routed(partition, new byte[] {1, 2, 3});

        assertThat(Routed.PARTITIONER.partitions("any", routed, new byte[0], partitions))
                .contains(Set.of(expected));
    }

    @Test
    void shouldGoToEachPartitionWhereItIsForAll() {
        assertThat(Routed.PARTITIONER.partitions("any", new Routed(Routed.ALL, null), new byte[0], 3))
                .contains(Set.of(0, 1, 2));
    }
}
