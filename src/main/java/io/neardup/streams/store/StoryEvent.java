package io.neardup.streams.store;

import io.neardup.engine.protocol.Provenance;
import java.util.ArrayList;
import java.util.List;

/** What becomes of an original that is repeated, for the one who keeps its story. Each is sent once, in any order. */
public sealed interface StoryEvent {
    /** Of the layout that this release writes and reads. */
    int VERSION = 1;

    /** The place of the original in the input, which names the story. */
    String story();

    /**
     * A duplicate has left that names the original.
     *
     * @param original where that comes from
     * @param originalId its id
     * @param id of the duplicate
     * @param copy where the duplicate comes from
     * @param similarity of the two
     */
    record Copy(Provenance original, String originalId, String id, Provenance copy, double similarity)
            implements StoryEvent {
        @Override
        public String story() {
            return original.place();
        }
    }

    /** The original is one no more; it may have no copies at all. */
    record Ended(String story) implements StoryEvent {}

    /** Events to one receiver. */
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
                default -> throw from.broken("a type of event, 1 or 2", String.valueOf(type));
            };
        }
    }
}
