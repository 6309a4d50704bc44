package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.record.InputRecord;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.metrics.TaskCounts;
import io.neardup.streams.store.Batch;
import io.neardup.streams.store.CommitListeners;
import io.neardup.streams.store.Cutover.CutoverStage;
import io.neardup.streams.store.CutoverEvent;
import io.neardup.streams.store.NodeNames;
import io.neardup.streams.store.StoryEvent;
import io.neardup.streams.store.StoryRow;
import io.neardup.streams.store.StoryStore;
import io.neardup.streams.store.StoryStore.Due;
import io.neardup.streams.store.StoryStore.Timer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the stories of a partition: events in, revisions out. A story writes a revision when it changes, but at most
 * one in an interval: what comes sooner is due at its end. A day after the original has ended its rows go, and a
 * tombstone follows on the topic. What is due is in the store, so nothing is lost with an instance, and so is how far
 * events were folded: where the cluster has forgotten that in a long stop, they are read again, and count once.
 *
 * <p>Rows of a predecessor are taken over as they are. Nothing is written until the predecessor has handed over its
 * input; then each story once, by these settings. When this index hands over its own input, due revisions are written
 * right after the last event, and that is reported; from then on nothing is written, as the successor goes on from
 * these rows.
 */
final class StoryProcessor implements Processor<byte[], byte[], Routed, byte[]> {
    /** How long the rows of an ended story are kept: a later copy begins it anew. */
    static final Duration KEPT = Duration.ofDays(1);

    /** How often it looks for revisions that are due, as long as there are some to come. */
    private static final Duration REVISING = Duration.ofMillis(500);

    /** The same of stories that have ended: copies that waited to be read while it was stopped are folded before. */
    private static final Duration ENDING = Duration.ofMinutes(1);

    private static final int STEP_MAX = 1_000;

    // A transaction is not to become large: the last story may go beyond, by its own 1 MB or some 2,000 rows.
    private static final int WRITTEN_BYTES_MAX = 4 << 20;
    private static final int ROWS_DELETED_MAX = 10_000;

    private final DedupTopology flow;
    private final long everyMillis;
    // Made in init, which Streams calls before anything else.
    private ProcessorContext<Routed, byte[]> context;
    private StoryStore store;
    private StoryFold fold;
    private TaskCounts counts;
    private Runnable stopAfterCommits;
    private ScheduledWork revising;
    private ScheduledWork ending;
    /** Whether more have ended than were deleted in the last step: the rest does not wait for a minute. */
    private boolean hasMoreToEnd;

    private boolean handsOver;

    @SuppressWarnings("NullAway.Init")
    StoryProcessor(DedupTopology flow) {
        this.flow = flow;
        this.everyMillis = flow.config().storiesEvery().toMillis();
    }

    @Override
    public void init(ProcessorContext<Routed, byte[]> context) {
        this.context = context;
        store = new StoryStore(context.getStateStore(NodeNames.STORIES));
        fold = new StoryFold(
                store, flow.config().publishers()::of, flow.config().representative());
        counts = flow.counts().ofTask();
        // Lets all be seen from the start, as none.
        flow.counts().total(ServiceMetric.STORY_EVENTS);
        Stream.of("begun", "written", "ended").forEach(outcome -> flow.counts().total(ServiceMetric.STORIES, outcome));
        stopAfterCommits = CommitListeners.after().add(counts::addNoted);
        handsOver = false;
        hasMoreToEnd = false;
        revising = new ScheduledWork(context, REVISING, this::reviseDue);
        ending = new ScheduledWork(context, ENDING, this::endDue);
        goOn();
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        RecordMetadata at = context.recordMetadata().orElseThrow();
        if (store.markFolded(flow.topicId().apply(at.topic()), at.offset())) {
            fold(StoryEvent.decode(record.value()));
        }
        if (KnownCutover.isFlush(record.headers())) {
            handsOver = true;
            reviseDue(context.currentSystemTimeMs());
        }
    }

    private void fold(List<StoryEvent> events) {
        Map<String, StoryRow> changed = new LinkedHashMap<>();
        for (StoryEvent event : events) {
            if (event instanceof StoryEvent.Inherited inherited) {
                inherit(inherited, changed);
            } else {
                StoryRow row = changed.computeIfAbsent(event.story(), store::story);
                changed.put(
                        event.story(),
                        event instanceof StoryEvent.Copy copy ? fold.take(row, copy) : ended(row, event.story()));
            }
        }
        changed.forEach(this::save);
        long folded = events.stream()
                .filter(event -> !(event instanceof StoryEvent.Inherited))
                .count();
        counts.note(all -> all.total(ServiceMetric.STORY_EVENTS).add(folded));
    }

    /**
     * Routes a row of the predecessor from its changelog to the partition that keeps it here, those of one place in
     * order. When the input goes on here all of them are on their way, and the rows are this index's own: nothing is
     * routed any more, even if the changelog is read again. Timers are not: what is due follows from the rows.
     */
    static Stream<Record<Routed, byte[]>> route(InputRecord changed, Seeding seeding, int storyPartitions) {
        Bytes key = Bytes.wrap(changed.key());
        byte[] row = changed.value();
        Optional<String> place = seeding.isDone() ? Optional.empty() : StoryStore.placeOf(key);
        return place.stream().map(of -> {
            Batch<StoryEvent> event = StoryEvent.batch();
            event.add(new StoryEvent.Inherited(key, row == null ? null : Bytes.wrap(row)));
            return new Record<>(new Routed(partitionOf(of, storyPartitions), null), event.take(), changed.timestamp());
        });
    }

    /** The partition that has the story of a place. */
    static int partitionOf(String place, int storyPartitions) {
        return Routed.byKey(place.getBytes(UTF_8)).partition() % storyPartitions;
    }

    private void inherit(StoryEvent.Inherited inherited, Map<String, StoryRow> changed) {
        String place = inherited.story();
        StoryRow there = inherited.ofStory().orElse(null);
        if (there != null) {
            StoryRow here = changed.computeIfAbsent(place, store::story);
            // With fewer copies it is of before, or was read once more.
            StoryRow taken = there.copies() < here.copies() ? here : fold.inherit(there, here.writing());
            changed.put(place, there.writing().endedMillis() > 0 ? ended(taken, place) : taken);
            return;
        }
        store.putRow(inherited.key(), inherited.row());
        if (StoryStore.isStory(inherited.key())) {
            changed.remove(place);
        }
    }

    private StoryRow ended(StoryRow row, String place) {
        if (row.writing().endedMillis() > 0) {
            return row;
        }
        counts.note(ServiceMetric.STORIES, "ended");
        long nowMillis = context.currentSystemTimeMs();
        add(Timer.END, new Due(nowMillis + KEPT.toMillis(), place));
        return row.with(row.writing().ended(nowMillis));
    }

    /** Whether nothing is written: the predecessor is not taken over yet, or this index has handed over. */
    private boolean isPaused() {
        return !flow.seeding().isDone() || flow.cutover().get().state().stage() == CutoverStage.EMPTY;
    }

    private void save(String place, StoryRow row) {
        long nowMillis = context.currentSystemTimeMs();
        long knownMillis = row.writing().dueMillis();
        long dueMillis = row.writing().writtenMillis() + everyMillis;
        boolean isNow = nowMillis >= dueMillis && !isPaused();
        if (row.copies() == 0 || (!isNow && knownMillis > 0)) {
            store.put(place, row);
            return;
        }
        if (knownMillis > 0) {
            store.remove(Timer.REVISION, new Due(knownMillis, place));
        }
        if (isNow) {
            write(place, row, nowMillis);
        } else {
            add(Timer.REVISION, new Due(dueMillis, place));
            store.put(place, row.with(row.writing().due(dueMillis)));
        }
    }

    /** Returns how many bytes it took. */
    private int write(String place, StoryRow row, long nowMillis) {
        StoryRow written = row.with(row.writing().written(nowMillis));
        store.put(place, written);
        counts.note(ServiceMetric.STORIES, "written");
        if (written.writing().revision() == 1) {
            counts.note(ServiceMetric.STORIES, "begun");
        }
        byte[] json = fold.story(place, written).encode();
        forward(place, json, nowMillis);
        return json.length;
    }

    private void forward(String place, byte @Nullable [] value, long nowMillis) {
        context.forward(new Record<>(Routed.byKey(place.getBytes(UTF_8)), value, nowMillis), NodeNames.STORIES_OUT);
    }

    // ---- what is due

    private void reviseDue(long nowMillis) {
        if (!isPaused()) {
            int bytes = 0;
            List<Due> due = store.due(Timer.REVISION, handsOver ? Long.MAX_VALUE - 1 : nowMillis, STEP_MAX);
            for (int i = 0; i < due.size() && bytes < WRITTEN_BYTES_MAX; i++) {
                bytes += revise(due.get(i), nowMillis);
            }
            if (handsOver && store.next(Timer.REVISION).isEmpty()) {
                handsOver = false;
                CutoverEvent folded = new CutoverEvent.Folded(context.taskId().partition());
                context.forward(Routed.note(folded.key(), folded.value(), nowMillis), NodeNames.STORY_NOTES);
            }
        }
        if (hasMoreToEnd) {
            endDue(nowMillis);
        } else {
            goOn();
        }
    }

    private void endDue(long nowMillis) {
        if (!isPaused()) {
            int deleted = 0;
            List<Due> due = store.due(Timer.END, nowMillis, ROWS_DELETED_MAX);
            for (int i = 0; i < due.size() && deleted < ROWS_DELETED_MAX; i++) {
                deleted += end(due.get(i), nowMillis);
            }
            hasMoreToEnd = deleted >= ROWS_DELETED_MAX;
        }
        goOn();
    }

    /** As long as something is due some time. The store must be asked before the first timer is added. */
    private void goOn() {
        if (store.next(Timer.REVISION).isPresent() || handsOver || hasMoreToEnd) {
            revising.request();
        }
        if (store.next(Timer.END).isPresent()) {
            ending.request();
        }
    }

    /** A store that was not used for long may have timers of stories that are no more, or are due at another time. */
    private int revise(Due due, long nowMillis) {
        store.remove(Timer.REVISION, due);
        StoryRow row = store.story(due.story());
        return row.copies() > 0 && row.writing().dueMillis() == due.atMillis() ? write(due.story(), row, nowMillis) : 0;
    }

    /** Returns how many rows were deleted, or at least looked at. */
    private int end(Due due, long nowMillis) {
        String place = due.story();
        store.remove(Timer.END, due);
        StoryRow.Writing writing = store.story(place).writing();
        if (writing.endedMillis() == 0) {
            return 1; // The predecessor has deleted it, and maybe begun it anew.
        }
        if (writing.dueMillis() > 0) {
            store.remove(Timer.REVISION, new Due(writing.dueMillis(), place));
        }
        if (writing.revision() > 0) {
            forward(place, null, nowMillis);
        }
        return store.delete(place);
    }

    private void add(Timer timer, Due due) {
        store.add(timer, due);
        (timer == Timer.REVISION ? revising : ending).request();
    }

    @Override
    public void close() {
        revising.cancel();
        ending.cancel();
        stopAfterCommits.run();
        counts.close();
    }
}
