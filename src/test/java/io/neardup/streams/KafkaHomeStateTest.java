package io.neardup.streams;

import io.neardup.protocol.HomeState;
import io.neardup.protocol.HomeStateContract;
import io.neardup.protocol.Versions;
import java.nio.file.Path;
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
class KafkaHomeStateTest extends HomeStateContract {
    private final KeyValueStore<Bytes, byte[]> progress;
    private final KeyValueStore<Bytes, byte[]> originals;

    KafkaHomeStateTest(@TempDir Path folder) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        MockProcessorContext<Routed, byte[]> context =
                new MockProcessorContext<>(settings, new TaskId(0, HOME), folder.toFile());
        progress = store(context, Stores.inMemoryKeyValueStore("progress"));
        originals = store(context, Stores.persistentKeyValueStore("originals"));
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
        progress.close();
        originals.close();
    }

    @Override
    protected HomeState open() {
        return new KafkaHomeState(HOME, Versions.REPLACE, progress, originals);
    }
}
