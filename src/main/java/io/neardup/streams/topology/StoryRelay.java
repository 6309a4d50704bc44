package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.streams.input.Seeding;
import io.neardup.streams.store.Batch;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.StoryEvent;
import io.neardup.streams.store.StoryEvent.Inherited;
import io.neardup.streams.store.StoryStore;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Brings the stories of another index from their changelog to who keeps them here, those of one place in order. When
 * the input goes on here all of them are on their way, and the rows are this index's own: nothing is brought any more,
 * though the changelog be read again.
 *
 * <p>Timers stay there: what is due follows from the rows. Each row leaves at once: this task has no store, so nothing
 * tells it of a commit, and what it had gathered by then would be lost with a kill.
 */
final class StoryRelay extends ContextualProcessor<byte[], byte[], Routed, byte[]> {
    private final Seeding seeding;
    private final int storyPartitions;

    StoryRelay(Seeding seeding, int storyPartitions) {
        this.seeding = seeding;
        this.storyPartitions = storyPartitions;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        Bytes key = Bytes.wrap(record.key());
        byte @Nullable [] row = record.value();
        if (!seeding.isDone()) {
            StoryStore.placeOf(key)
                    .ifPresent(place -> bring(place, new Inherited(key, row == null ? null : Bytes.wrap(row))));
        }
    }

    private void bring(String place, Inherited row) {
        Batch<StoryEvent> event = StoryEvent.batch();
        event.add(row);
        Routed keeper = new Routed(keeper(place, storyPartitions), null);
        context()
                .forward(
                        new Record<>(keeper, event.take(), context().currentSystemTimeMs()),
                        NodeNames.STORIES_INHERITED);
    }

    /** The partition that has the story of a place. */
    static int keeper(String place, int storyPartitions) {
        return Routed.byKey(place.getBytes(UTF_8)).partition() % storyPartitions;
    }
}
