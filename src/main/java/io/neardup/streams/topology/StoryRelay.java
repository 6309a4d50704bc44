package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.streams.input.Seeding;
import io.neardup.streams.store.CommitListeners;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.StoryEvent;
import io.neardup.streams.store.StoryEvent.Inherited;
import io.neardup.streams.store.StoryStore;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ContextualProcessor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Brings the stories of another index from their changelog to who keeps them here, those of one place in order. When
 * the input goes on here all of them are on their way, and the rows are this index's own: nothing is brought any more,
 * though the changelog be read again.
 *
 * <p>Timers stay there: what is due follows from the rows.
 */
final class StoryRelay extends ContextualProcessor<byte[], byte[], Routed, byte[]> {
    private final Seeding seeding;
    private final int storyPartitions;
    // Made in init, which Streams calls before anything else.
    private CommitBatcher<StoryEvent> batches;
    private CommitListeners beforeCommits;
    private Runnable beforeCommit;

    @SuppressWarnings("NullAway.Init")
    StoryRelay(Seeding seeding, int storyPartitions) {
        this.seeding = seeding;
        this.storyPartitions = storyPartitions;
    }

    @Override
    public void init(ProcessorContext<Routed, byte[]> context) {
        super.init(context);
        batches = new CommitBatcher<>(context, NodeNames.STORIES_INHERITED, StoryEvent::batch);
        beforeCommit = PreCommitHook.of(context, batches::leave);
        beforeCommits = CommitListeners.before();
        beforeCommits.add(beforeCommit);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        Bytes key = Bytes.wrap(record.key());
        byte @Nullable [] row = record.value();
        if (!seeding.isDone()) {
            StoryStore.placeOf(key)
                    .ifPresent(place -> batches.add(
                            keeper(place, storyPartitions), new Inherited(key, row == null ? null : Bytes.wrap(row))));
        }
    }

    /** The partition that has the story of a place. */
    static int keeper(String place, int storyPartitions) {
        return Routed.byKey(place.getBytes(UTF_8)).partition() % storyPartitions;
    }

    @Override
    public void close() {
        beforeCommits.remove(beforeCommit);
    }
}
