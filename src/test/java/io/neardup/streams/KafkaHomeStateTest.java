package io.neardup.streams;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.document.Arrival;
import io.neardup.document.InputRecord;
import io.neardup.document.RecordHeader;
import io.neardup.protocol.HomeState;
import io.neardup.protocol.HomeStateContract;
import io.neardup.protocol.SignedDocument;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** On the stores that the topology uses, changelogs aside. */
class KafkaHomeStateTest extends HomeStateContract<Arrival> {
    private final KeyValueStore<Bytes, byte[]> pending;
    private final KeyValueStore<Bytes, byte[]> originals;
    private final KeyValueStore<Bytes, byte[]> counters;

    KafkaHomeStateTest(@TempDir Path folder) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        MockProcessorContext<Routed, byte[]> context =
                new MockProcessorContext<>(settings, new TaskId(0, HOME), folder.toFile());
        pending = store(context, Stores.inMemoryKeyValueStore("pending"));
        originals = store(context, Stores.persistentKeyValueStore("originals"));
        counters = store(context, Stores.inMemoryKeyValueStore("counters"));
    }

    private static KeyValueStore<Bytes, byte[]> store(
            MockProcessorContext<Routed, byte[]> context, KeyValueBytesStoreSupplier supplier) {
        KeyValueStore<Bytes, byte[]> store = Stores.keyValueStoreBuilder(supplier, Serdes.Bytes(), Serdes.ByteArray())
                .withLoggingDisabled()
                .withCachingDisabled()
                .build();
        store.init(context.getStateStoreContext(), store);
        return store;
    }

    @AfterEach
    void closeStores() {
        pending.close();
        originals.close();
        counters.close();
    }

    @Override
    protected HomeState<Arrival> open() {
        return new KafkaHomeState(HOME, pending, originals, counters, this::signed);
    }

    @Override
    protected Arrival payload(int number) {
        List<RecordHeader> headers = number % 2 == 0
                ? List.of()
                : List.of(new RecordHeader("ä", null), new RecordHeader("ä", new byte[] {1}));
        byte[] key = number % 3 == 0 ? null : new byte[] {(byte) number};
        byte[] value = number % 5 == 0 ? null : ("text " + number).getBytes(UTF_8);
        return new Arrival("d" + number, new InputRecord("documents", HOME, number, -number, key, value, headers));
    }

    @Override
    protected SignedDocument signed(Arrival payload) {
        return HomeStateContract.document(payload.id());
    }
}
