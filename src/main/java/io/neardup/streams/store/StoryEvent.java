package io.neardup.streams.store;

import io.neardup.engine.protocol.Provenance;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of an original that is repeated, for the one who keeps its story. Each is sent once, in any order; but
 * what is inherited comes before all copies, and maybe more than once.
 */
public sealed interface StoryEvent {
    int VERSION = 1;

    /** The place of the original in the input, which names the story. */
    String story();

    /** A duplicate of this id has left that names the original: where the two come from, and how similar they are. */
    record Copy(Provenance original, String originalId, String id, Provenance copy, double similarity)
            implements StoryEvent {
        @Override
        public String story() {
            return original.place();
        }
    }

    /** The original is one no more; it may have no copies at all. */
    record Ended(String story) implements StoryEvent {}

    /**
     * A row of the store of the predecessor, as it is there now.
     *
     * @param key of no timer
     * @param row null where it is deleted
     */
    record Inherited(Bytes key, @Nullable Bytes row) implements StoryEvent {
        @Override
        public String story() {
            return StoryStore.placeOf(key).orElseThrow();
        }

        /** The row of the story itself; empty where it is another one, or is deleted. */
        public Optional<StoryRow> ofStory() {
            return row == null || !StoryStore.isStory(key)
                    ? Optional.empty()
                    : Optional.of(StoryRow.LAYOUT.decode(row.get()));
        }
    }

    static Batch<StoryEvent> batch() {
        return new Batch<>(VERSION, Codec::put);
    }

    /**
     * Reads those of a batch.
     *
     * @throws WireException if the bytes are of another version, cut off or not ours
     */
    static List<StoryEvent> decode(byte[] bytes) {
        return ByteReader.decode("a batch of story events", VERSION, bytes, from -> {
            List<StoryEvent> events = new ArrayList<>();
            while (!from.atEnd()) {
                events.add(Codec.take(from));
            }
            return events;
        });
    }

    /** A type, then the fields. */
    final class Codec {
        private static final int COPY = 1;
        private static final int ENDED = 2;
        private static final int INHERITED = 3;

        private Codec() {}

        static void put(ByteWriter to, StoryEvent event) {
            if (event instanceof Copy copy) {
                to.putByte(COPY)
                        .putProvenance(copy.original)
                        .putText(copy.originalId)
                        .putText(copy.id)
                        .putProvenance(copy.copy)
                        .putDouble(copy.similarity);
            } else if (event instanceof Ended ended) {
                to.putByte(ENDED).putText(ended.story);
            } else if (event instanceof Inherited inherited) {
                to.putByte(INHERITED)
                        .putBytes(inherited.key.get())
                        .putOrNone(inherited.row, (each, row) -> each.putBytes(row.get()));
            }
        }

        static StoryEvent take(ByteReader from) {
            int type = from.takeByte();
            return switch (type) {
                case COPY ->
                    new Copy(
                            from.takeProvenance(),
                            from.takeText(),
                            from.takeText(),
                            from.takeProvenance(),
                            from.takeDouble());
                case ENDED -> new Ended(from.takeText());
                case INHERITED ->
                    new Inherited(Bytes.wrap(from.takeBytes()), from.takeOrNone(each -> Bytes.wrap(each.takeBytes())));
                default -> throw from.broken("a type of event, 1 to 3", String.valueOf(type));
            };
        }
    }
}
