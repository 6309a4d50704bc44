package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProgressStoreTest {
    private static final byte[] ONE = {1};
    private static final byte[] TWO = {2};

    private final StoreHarness<ProgressStore> harness = new StoreHarness<>(
            LoggedStore.builderOf(NodeNames.PROGRESS, () -> new ProgressStore(NodeNames.PROGRESS)),
            Map.of(),
            ProgressStore::writeChanges);

    @AfterEach
    void close() {
        harness.close();
    }

    private void step(Consumer<ProgressStore> step) {
        harness.step(step);
    }

    private List<TestRecord<byte[], byte[]>> changelog() {
        return harness.changelog();
    }

    @Test
    void shouldWriteWhatATransactionHasChangedOnce() {
        step(store -> {
            store.put(StateKeys.position("a"), ONE);
            store.put(StateKeys.position("a"), TWO);
            store.put(StateKeys.block(0), ONE);
            store.delete(StateKeys.block(0));
        });

        assertThat(changelog()).singleElement().satisfies(record -> {
            assertThat(record.key()).isEqualTo(StateKeys.position("a").get());
            assertThat(record.value()).isEqualTo(TWO);
        });
    }

    @Test
    void shouldWriteTheDecisionsOf256DocumentsAsOneRecord() {
        step(store -> IntStream.range(0, 512).forEach(sequence -> store.put(StateKeys.decision(sequence), ONE)));
        assertThat(changelog()).hasSize(2);
        step(store -> store.delete(StateKeys.decision(300)));
        assertThat(changelog()).singleElement().extracting(TestRecord::value).isNotNull();
    }

    @Test
    void shouldBeRestoredAsItWasAfterEachTransaction() {
        Random random = new Random(3);
        ProgressStore restored = new ProgressStore("restored");
        for (int transaction = 0; transaction < 300; transaction++) {
            List<Map<Bytes, byte[]>> after = new ArrayList<>();
            step(store -> {
                for (int more = random.nextInt(20); more > 0; more--) {
                    Bytes key = random.nextInt(4) > 0
                            ? StateKeys.decision(random.nextInt(1_000))
                            : StateKeys.block(random.nextInt(3) * 1_024L);
                    if (random.nextBoolean()) {
                        store.put(key, new byte[] {(byte) random.nextInt()});
                    } else {
                        store.delete(key);
                    }
                }
                after.add(store.all());
            });
            changelog().forEach(record -> restored.restore(record.key(), record.value()));

            assertThat(comparable(restored.all())).isEqualTo(comparable(after.get(0)));
        }
        assertThat(restored.all()).hasSizeGreaterThan(100);
    }

    private static Map<Bytes, Bytes> comparable(Map<Bytes, byte[]> entries) {
        Map<Bytes, Bytes> comparable = new HashMap<>();
        entries.forEach((key, value) -> comparable.put(key, Bytes.wrap(value)));
        return comparable;
    }

    @Test
    void shouldNotGatherMoreThanItsBound() {
        step(store -> {
            IntStream.range(0, 1_024).forEach(topic -> store.put(StateKeys.position("t" + topic), ONE));
            IntStream.range(0, 1_024).forEach(topic -> store.delete(StateKeys.position("t" + topic)));
        });
        assertThat(changelog()).describedAs("written before they were gone").hasSize(2_048);
    }
}
