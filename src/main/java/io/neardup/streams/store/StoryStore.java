package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.streams.store.StoryRow.SourceRow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The stories of one partition as rows of a store of Kafka Streams. A key is a byte for the kind, and then
 *
 * <ul>
 *   <li>of a story: its place.
 *   <li>of a source, where there are more than {@value StoryRow#FEW_MAX}: the place of its story, a zero, which no
 *       place has, 8 bytes of a hash of its name, the name.
 *   <li>of the sketch of publishers, where they are estimated: the place.
 *   <li>of a timer: its time, and the place of the story that it is of. One kind for revisions that are due, one for
 *       stories whose rows are to go.
 *   <li>of how far events were folded: nothing.
 * </ul>
 */
public final class StoryStore {
    private static final byte STORY = 0;
    private static final byte SOURCE = 1;
    private static final byte SKETCH = 2;

    private static final Layout<SourceRow> SOURCES =
            new Layout<>("a source of a story", StoryRow.VERSION, SourceRow::put, SourceRow::take);

    private static final Layout<byte[]> SKETCHES =
            new Layout<>("a sketch of publishers", StoryRow.VERSION, ByteWriter::putBytes, ByteReader::takeBytes);

    private static final Layout<Folded> FOLDED = new Layout<>(
            "how far events of stories were folded",
            StoryRow.VERSION,
            (to, row) -> to.putText(row.topicId).putSmall(row.end),
            from -> new Folded(from.takeText(), from.takeSmall()));

    private static final Bytes OF_FOLDED = Bytes.wrap(new byte[] {5});

    private static final byte[] KEY_ALONE = {StoryRow.VERSION};

    private final KeyValueStore<Bytes, byte[]> rows;

    /** There is no timer before it: a look that began at zero would pass all that were removed, again and again. */
    private final Map<Timer, Long> firstMillis = new EnumMap<>(Timer.class);

    public StoryStore(KeyValueStore<Bytes, byte[]> rows) {
        this.rows = rows;
    }

    /** A kind of timer, by the first byte of its keys. */
    public enum Timer {
        REVISION(3),
        END(4);

        private final byte kind;

        Timer(int kind) {
            this.kind = (byte) kind;
        }
    }

    /** A time at which something is to be done for a story. */
    public record Due(long atMillis, String story) {}

    /**
     * How far events were folded.
     *
     * @param topicId of their topic: another one has others at these offsets
     * @param end behind the last of them
     */
    private record Folded(String topicId, long end) {}

    // ---- its events

    /**
     * Marks the record at an offset, and all before it, as folded; false if it was marked before: it must not be folded
     * twice.
     */
    public boolean markFolded(String topicId, long offset) {
        byte[] before = rows.get(OF_FOLDED);
        if (before != null) {
            Folded folded = FOLDED.decode(before);
            if (folded.topicId.equals(topicId) && offset < folded.end) {
                return false;
            }
        }
        rows.put(OF_FOLDED, FOLDED.encode(new Folded(topicId, offset + 1)));
        return true;
    }

    // ---- a story

    public StoryRow story(String place) {
        byte[] row = rows.get(key(STORY, place));
        return row == null ? StoryRow.NONE : StoryRow.LAYOUT.decode(row);
    }

    public void put(String place, StoryRow row) {
        rows.put(key(STORY, place), StoryRow.LAYOUT.encode(row));
    }

    /**
     * Deletes all rows of a story.
     *
     * @return how many these were, at least 1
     */
    public int delete(String place) {
        int deleted = 1;
        for (Bytes key : keys(key(SOURCE, place, 0), key(SOURCE, place, 1), Integer.MAX_VALUE)) {
            rows.delete(key);
            deleted++;
        }
        rows.delete(key(SKETCH, place));
        rows.delete(key(STORY, place));
        return deleted;
    }

    private List<Bytes> keys(Bytes from, Bytes to, int max) {
        List<Bytes> keys = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> found = rows.range(from, to)) {
            while (keys.size() < max && found.hasNext()) {
                keys.add(found.next().key);
            }
        }
        return keys;
    }

    // ---- its sources, in the order of the hashes of their names

    /** One of them; its hash is that of its name. */
    public Optional<SourceRow> source(String place, long hash, String source) {
        return Optional.ofNullable(rows.get(ofSource(place, hash, source))).map(SOURCES::decode);
    }

    public void put(String place, long hash, SourceRow row) {
        rows.put(ofSource(place, hash, row.source()), SOURCES.encode(row));
    }

    public List<SourceRow> sources(String place) {
        List<SourceRow> sources = new ArrayList<>();
        try (KeyValueIterator<Bytes, byte[]> found = rows.range(key(SOURCE, place, 0), key(SOURCE, place, 1))) {
            found.forEachRemaining(row -> sources.add(SOURCES.decode(row.value)));
        }
        return sources;
    }

    /** Puts one in the place of the last one of a story that has some, if it comes before that. */
    public void putInsteadOfLast(String place, long hash, SourceRow row) {
        Bytes last;
        try (KeyValueIterator<Bytes, byte[]> found = rows.reverseRange(key(SOURCE, place, 0), key(SOURCE, place, 1))) {
            last = found.next().key;
        }
        // Most come behind it, once there are many: nothing is written for them.
        if (ofSource(place, hash, row.source()).compareTo(last) < 0) {
            put(place, hash, row);
            rows.delete(last);
        }
    }

    private static Bytes ofSource(String place, long hash, String source) {
        return StateKeys.key(SOURCE, place.getBytes(UTF_8), new byte[1], StateKeys.bytes(hash), source.getBytes(UTF_8));
    }

    // ---- its publishers, where they are estimated

    public Optional<byte[]> sketch(String place) {
        return Optional.ofNullable(rows.get(key(SKETCH, place))).map(SKETCHES::decode);
    }

    public void putSketch(String place, byte[] sketch) {
        rows.put(key(SKETCH, place), SKETCHES.encode(sketch));
    }

    // ---- as another store has it

    /** The place of the story that a row is of, by its key; empty of any other row. */
    public static Optional<String> placeOf(Bytes key) {
        byte[] bytes = key.get();
        if (bytes[0] > SKETCH) {
            return Optional.empty();
        }
        int end = 1;
        while (end < bytes.length && bytes[end] != 0) {
            end++;
        }
        return Optional.of(new String(bytes, 1, end - 1, UTF_8));
    }

    /** Whether a row, by its key, is the one of its story itself. */
    public static boolean isStory(Bytes key) {
        return key.get()[0] == STORY;
    }

    /** Puts a row of another store as it is there, or deletes it. */
    public void putRow(Bytes key, @Nullable Bytes row) {
        if (row == null) {
            rows.delete(key);
        } else {
            rows.put(key, row.get());
        }
    }

    // ---- timers

    public void add(Timer timer, Due due) {
        rows.put(ofTimer(timer, due), KEY_ALONE);
        firstMillis.merge(timer, due.atMillis, Math::min);
    }

    public void remove(Timer timer, Due due) {
        rows.delete(ofTimer(timer, due));
    }

    /** The first ones up to a time, in their order. */
    public List<Due> due(Timer timer, long millisMax, int max) {
        long from = firstMillis.getOrDefault(timer, 0L);
        if (from > millisMax) {
            return List.of();
        }
        List<Due> due = new ArrayList<>();
        Bytes to = StateKeys.key(timer.kind, StateKeys.bytes(millisMax + 1));
        for (Bytes key : keys(StateKeys.key(timer.kind, StateKeys.bytes(from)), to, max)) {
            byte[] bytes = key.get();
            int beforePlace = 1 + Long.BYTES;
            due.add(new Due(
                    StateKeys.numberOf(bytes), new String(bytes, beforePlace, bytes.length - beforePlace, UTF_8)));
        }
        firstMillis.put(timer, due.isEmpty() ? millisMax + 1 : due.get(0).atMillis);
        return due;
    }

    /** When the first one is due; empty where there is none. */
    public Optional<Long> next(Timer timer) {
        return due(timer, Long.MAX_VALUE - 1, 1).stream().map(Due::atMillis).findFirst();
    }

    private static Bytes ofTimer(Timer timer, Due due) {
        return StateKeys.key(timer.kind, StateKeys.bytes(due.atMillis), due.story.getBytes(UTF_8));
    }

    // ---- keys

    private static Bytes key(byte kind, String place) {
        return StateKeys.key(kind, place.getBytes(UTF_8));
    }

    /** Before all keys of a place, or behind them. */
    private static Bytes key(byte kind, String place, int end) {
        return StateKeys.key(kind, place.getBytes(UTF_8), new byte[] {(byte) end});
    }
}
