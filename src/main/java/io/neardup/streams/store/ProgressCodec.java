package io.neardup.streams.store;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The changelog of a coordinator's progress where a record has several entries, whose keys differ in the last byte. */
public final class ProgressCodec {
    static final int VERSION = 1;

    private ProgressCodec() {}

    /**
     * An entry of the record.
     *
     * @param last the last byte of its key, 0 to 255
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by what it holds
    public record Grouped(int last, byte[] value) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Grouped grouped && grouped.last == last && Arrays.equals(grouped.value, value);
        }

        @Override
        public int hashCode() {
            return 31 * last + Arrays.hashCode(value);
        }
    }

    public static byte[] encode(List<Grouped> entries) {
        int bytes =
                entries.stream().mapToInt(grouped -> grouped.value().length + 3).sum();
        ByteWriter to = new ByteWriter(bytes + 3).putByte(VERSION).putSmall(entries.size());
        entries.forEach(grouped -> to.putByte(grouped.last()).putBytes(grouped.value()));
        return to.toBytes();
    }

    public static List<Grouped> decode(byte[] bytes) {
        ByteReader from = new ByteReader("entries of progress", bytes).expectVersion(VERSION);
        int count = from.takeCount(2);
        List<Grouped> entries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            entries.add(new Grouped(from.takeByte(), from.takeBytes()));
        }
        from.expectEnd();
        return entries;
    }
}
