package io.neardup.streams.topology;

import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.BandTableBytes;
import io.neardup.streams.store.BandStore;
import io.neardup.streams.store.DiskEntries;
import io.neardup.streams.store.LoggedBandTable;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.OriginalsDisk;
import io.neardup.streams.store.ProgressStore;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.QueryableStoreType;
import org.apache.kafka.streams.state.internals.StateStoreProvider;

/** All that the stores of the service hold, byte by byte, as digests. Nothing may be under way meanwhile. */
public final class StoreBytes {
    private static final List<String> STORES = List.of(NodeNames.PROGRESS, NodeNames.ORIGINALS, NodeNames.BUCKETS);

    private StoreBytes() {}

    /**
     * Digests by store.
     *
     * @param stores of a task each, by name
     */
    public static Map<String, String> of(Map<String, StateStore> stores, Path scratch) throws IOException {
        Map<String, String> digests = new TreeMap<>();
        for (Map.Entry<String, StateStore> store : stores.entrySet()) {
            digests.put(store.getKey(), digest(store.getValue(), scratch));
        }
        return digests;
    }

    /** Of a service with one coordinator and one index partition: the stores of those that this instance owns. */
    public static Map<String, String> of(KafkaStreams instance, Path scratch) throws IOException {
        Map<String, StateStore> stores = new TreeMap<>();
        for (String name : STORES) {
            try {
                stores.put(name, instance.store(StoreQueryParameters.fromNameAndType(name, new AsItIs())));
            } catch (InvalidStateStoreException e) {
                // Another instance owns it.
            }
        }
        return of(stores, scratch);
    }

    /** The store of the task itself. */
    private static final class AsItIs implements QueryableStoreType<StateStore> {
        @Override
        public boolean accepts(StateStore store) {
            return true;
        }

        @Override
        public StateStore create(StateStoreProvider provider, String name) {
            return provider.stores(name, this).stream()
                    .findFirst()
                    .orElseThrow(() -> new InvalidStateStoreException("none here"));
        }
    }

    private static String digest(StateStore store, Path scratch) throws IOException {
        MessageDigest digest = sha256();
        AtomicLong entries = new AtomicLong();
        if (store instanceof BandStore bands) {
            Path file = Files.createTempDirectory(scratch, "buckets").resolve("segment");
            LoggedBandTable table = field(bands, "table", LoggedBandTable.class);
            BandTableBytes.write(field(table, "table", BandTable.class), file);
            digest.update(Files.exists(file) ? Files.readAllBytes(file) : new byte[0]);
            entries.set(table.documents());
        } else {
            BiConsumer<byte[], byte[]> add = (key, value) -> {
                digest.update(key);
                digest.update(value);
                entries.incrementAndGet();
            };
            if (store instanceof ProgressStore progress) {
                progress.all().forEach((key, value) -> add.accept(key.get(), value));
            } else {
                DiskEntries.forEach(field(store, "disk", OriginalsDisk.class), add);
            }
        }
        return entries + " " + HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** What nobody but a test may look at. */
    public static <T> T field(Object owner, String name, Class<T> type) {
        try {
            Field field = owner.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return type.cast(field.get(owner));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name, e);
        }
    }
}
