package io.neardup.streams.topology;

import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.BandTableBytes;
import io.neardup.streams.store.BandStore;
import io.neardup.streams.store.DiskEntries;
import io.neardup.streams.store.LoggedBandTable;
import io.neardup.streams.store.OriginalsDisk;
import io.neardup.streams.store.ProgressStore;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.apache.kafka.streams.processor.StateStore;

/** All that the stores of the service hold, byte by byte, as digests. Nothing may be under way meanwhile. */
public final class StoreBytes {
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

    private static String digest(StateStore store, Path scratch) throws IOException {
        MessageDigest digest = sha256();
        AtomicLong entries = new AtomicLong();
        if (store instanceof BandStore bands) {
            Path file = Files.createTempDirectory(scratch, "buckets").resolve("segment");
            LoggedBandTable table = field(field(bands, "segments", Object.class), "table", LoggedBandTable.class);
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
