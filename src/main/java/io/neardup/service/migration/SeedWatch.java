package io.neardup.service.migration;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.CommittedRecords;
import io.neardup.service.cluster.CommittedRecords.Span;
import io.neardup.service.cluster.SettingsReader;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.input.SeedPlan;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.input.Takeover;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.InternalTopics;
import io.neardup.streams.topology.SeedRecords;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes an index from one seed to the next. When a topic is brought to the coordinators to its end, by the positions
 * that the group has committed and as nothing to be read lies behind them, it writes the end behind its documents. What
 * coordinators say when they have released that, it reads from the settings topic. Every instance does so: an end that
 * comes more than once counts once.
 */
public final class SeedWatch {
    private static final Logger LOG = LoggerFactory.getLogger(SeedWatch.class);
    private static final int STALLED_SECONDS = 30;
    private static final long REPORT_NANOS = 10_000_000_000L;
    private static final long REPORT_FOLLOWING_NANOS = 3_600_000_000_000L;

    private final ClusterAdmin admin;
    private final Seeding seeding;
    private final TopicNames names;
    private final Map<String, Object> clients;
    private final Set<String> ended = new HashSet<>();
    private final CommittedRecords reading;
    private final Optional<PredecessorWatch> predecessorWatch;
    private final FollowedPace pace = new FollowedPace();
    private final SettingsTopic settingsTopic;
    private final SettingsReader settingsReader;
    /** Of the predecessor, which are read beside its originals. */
    private final List<TopicPartition> stories;

    private Map<TopicPartition, Long> storyEnds = Map.of();

    private long leftBefore;
    private volatile SeedingStatus status = SeedingStatus.DONE;
    private long reportedNanos = System.nanoTime();
    private long reportedLeft = Long.MAX_VALUE;

    /** @param settingsReader of the index; the caller lets it catch up */
    public SeedWatch(NeardupConfig config, ClusterAdmin admin, Seeding seeding, SettingsReader settingsReader) {
        this.admin = admin;
        this.seeding = seeding;
        this.names = new TopicNames(config.applicationId());
        this.clients = StreamsSettings.clients(config);
        this.reading = new CommittedRecords(clients, STALLED_SECONDS);
        this.settingsTopic = new SettingsTopic(config, admin);
        this.settingsReader = settingsReader;
        this.stories = TopicNames.predecessorStories(seeding.predecessor(), config);
        this.predecessorWatch = seeding.predecessor()
                .map(before -> new PredecessorWatch(config, admin, seeding, before, settingsTopic));
    }

    /** How far it is, by the last look. */
    public SeedingStatus status() {
        return status;
    }

    /** Takes what was noted by now. */
    public void take() {
        settingsReader.takeover().ifPresent(seeding::settle);
        settingsReader.followedMillis().ifPresent(pace::noted);
        if (!seeding.isDone()) {
            settingsReader
                    .seedsRead()
                    .forEach(read -> seeding.noteRead(read.topic(), read.coordinator(), read.endSequence()));
        }
        if (!status.isDone() && seeding.isDone()) {
            LOG.info("all seeds are read topics={}", seeding.plan().names());
        }
        status = seeding.current()
                .map(topic -> status(topic, status.recordsRead(), status.records()))
                .orElse(SeedingStatus.DONE);
    }

    /** Does what follows from how far the group is, and a predecessor. */
    public void goOn() {
        if (lost().isEmpty()) {
            predecessorWatch.ifPresent(PredecessorWatch::look);
            seeding.current().ifPresent(this::goOn);
        }
    }

    /** Why the predecessor can never be taken over, by the last look; empty as long as it can. */
    public Optional<StartupException> lost() {
        return predecessorWatch.flatMap(PredecessorWatch::lost).or(this::tooLate);
    }

    private Optional<StartupException> tooLate() {
        return seeding.predecessor()
                .filter(before -> !seeding.isDone() && pace.isTooLate(System.currentTimeMillis()))
                .map(before -> new StartupException("neardup.successor.of: expected to read within "
                        + InternalTopics.DELETE_RETENTION.toDays() + " days which originals "
                        + before.applicationId()
                        + " has removed, found that this began, or last read all of its changelog, at "
                        + Instant.ofEpochMilli(pace.readMillis())
                        + ": removals may be missed, and those originals would stay here; delete what there is of "
                        + names.applicationId() + " with index reset, and start it again"));
    }

    /** What an operator is to do, so that it goes on; empty where nothing is. */
    public Optional<String> alert() {
        return predecessorWatch.flatMap(PredecessorWatch::alert);
    }

    private SeedingStatus status(SeedPlan.Topic topic, long recordsRead, long records) {
        String before = seeding.predecessor().map(Predecessor::applicationId).orElse("");
        return new SeedingStatus(
                topic.name(),
                recordsRead,
                records,
                seeding.coordinatorsLeft(topic.name()),
                before,
                !before.isEmpty() && seeding.takeover().isEmpty());
    }

    private void goOn(SeedPlan.Topic topic) {
        if (ended.contains(topic.name())) {
            report();
            return;
        }
        long nowMillis = System.currentTimeMillis();
        Map<TopicPartition, Long> ends = ends(topic);
        Map<TopicPartition, Long> committed = admin.committed(names.applicationId());
        Map<TopicPartition, Span> rest = look(topic, ends, committed);
        long left = status.records() - status.recordsRead();
        boolean isStill = left == leftBefore;
        leftBefore = left;
        report();
        if (predecessorWatch.isPresent()) {
            keepPace(nowMillis, ends, committed, isStill);
        }
        if (!status.isFollowing() && (left == 0 || (isStill && !reading.isAny(rest, record -> true)))) {
            end(topic.name());
            ended.add(topic.name());
        }
    }

    /** Notes how far it is; returns what is still to be read. */
    private Map<TopicPartition, Span> look(
            SeedPlan.Topic topic, Map<TopicPartition, Long> ends, Map<TopicPartition, Long> committed) {
        Map<TopicPartition, Long> beginnings = admin.beginnings(ends.keySet());
        Map<TopicPartition, Long> positions = new HashMap<>(beginnings);
        committed.forEach((partition, position) ->
                positions.computeIfPresent(partition, (unused, beginning) -> Math.max(beginning, position)));
        long records = length(rest(ends, beginnings));
        Map<TopicPartition, Span> rest = rest(ends, positions);
        status = status(topic, records - length(rest), records);
        return rest;
    }

    private static long length(Map<TopicPartition, Span> spans) {
        return spans.values().stream()
                .mapToLong(span -> span.to() - span.from())
                .sum();
    }

    /** What lies between positions and ends; none of where nothing does. */
    static Map<TopicPartition, Span> rest(Map<TopicPartition, Long> ends, Map<TopicPartition, Long> positions) {
        Map<TopicPartition, Span> rest = new HashMap<>();
        ends.forEach((partition, end) -> {
            long position = positions.getOrDefault(partition, 0L);
            if (position < end) {
                rest.put(partition, new Span(position, end));
            }
        });
        return rest;
    }

    /** @param isStill whether nothing was read since the last look: then what is left may be no records */
    private void keepPace(
            long nowMillis, Map<TopicPartition, Long> ends, Map<TopicPartition, Long> committed, boolean isStill) {
        pace.remainingToAim(nowMillis, ends, committed)
                .filter(rest -> rest.isEmpty() || (isStill && !reading.isAny(rest, record -> true)))
                .ifPresent(rest -> settingsTopic.note(SettingsTopic.FOLLOWED, pace.completeAim()));
    }

    /**
     * Of a predecessor that has not handed over, those of now. Those of its stories always: when it has, they are
     * folded. So all of them are on their way to who keeps the stories here before anything of the input.
     */
    private Map<TopicPartition, Long> ends(SeedPlan.Topic topic) {
        if (seeding.predecessor().isEmpty() || seeding.takeover().isPresent()) {
            List<Long> settled = seeding.takeover().map(Takeover::ends).orElse(topic.ends());
            Map<TopicPartition, Long> ends = new HashMap<>(storyEnds());
            for (TopicPartition partition : ClusterAdmin.partitions(topic.name(), settled.size())) {
                ends.put(partition, settled.get(partition.partition()));
            }
            return ends;
        }
        List<TopicPartition> all = new ArrayList<>(seeding.predecessor().get().partitions());
        all.addAll(stories);
        return admin.committedEnds(all);
    }

    /**
     * Where the stories of a predecessor that has handed over end. That they are folded may be seen before the marker
     * of the same transaction stands behind the last of them.
     */
    private Map<TopicPartition, Long> storyEnds() {
        if (storyEnds.isEmpty() && !stories.isEmpty()) {
            storyEnds = Map.copyOf(admin.decidedEnds(stories));
        }
        return storyEnds;
    }

    private void report() {
        long nowNanos = System.nanoTime();
        long left = status.records() - status.recordsRead();
        if (!isToBeReported(nowNanos - reportedNanos, left)) {
            return;
        }
        reportedNanos = nowNanos;
        reportedLeft = left;
        if (status.isFollowing()) {
            LOG.info("following predecessor={} records.left={}", status.predecessor(), left);
        } else {
            LOG.info(
                    "seeding topic={} records.read={} records={} coordinators.left={}",
                    status.topic(),
                    status.recordsRead(),
                    status.records(),
                    status.coordinatorsLeft());
        }
    }

    /** It may follow for days: then each time that half of what was left is read. */
    private boolean isToBeReported(long sinceNanos, long left) {
        return sinceNanos > REPORT_NANOS
                && (!status.isFollowing() || left < reportedLeft / 2 || sinceNanos > REPORT_FOLLOWING_NANOS);
    }

    /** Behind the ends of inherited seeds, as the last of the predecessor's originals may be of one. */
    private Stream<ProducerRecord<byte[], byte[]>> ends(String topic, int coordinator) {
        return Stream.concat(
                seeding.inherited().stream()
                        .map(seed -> SeedRecords.end(names.seeds(), coordinator, seed, Optional.empty())),
                Stream.of(SeedRecords.end(names.seeds(), coordinator, topic, seeding.takeover())));
    }

    private void end(String topic) {
        SettingsTopic.send(
                clients,
                IntStream.range(0, seeding.coordinators())
                        .boxed()
                        .flatMap(coordinator -> ends(topic, coordinator))
                        .toList());
        LOG.info("brought a seed to the coordinators topic={} records={}", topic, status.records());
    }

    /**
     * Whether a changelog that is followed is read as fast as it must be. Kafka keeps the marker of a removal for a
     * while alone: whoever has read the original before, and comes back later than that, would keep it without a word.
     *
     * <p>So now and then it is noted where the changelog ends, and when all before that is read, that it was so then.
     */
    static final class FollowedPace {
        private static final Duration NOTED = Duration.ofHours(1);

        private long readMillis = Long.MAX_VALUE;
        private Map<TopicPartition, Long> aim = Map.of();
        private long aimMillis;

        /** It was noted that all that was written by this time is read, or that nothing was read before. */
        void noted(long atMillis) {
            readMillis = atMillis;
        }

        /** Whether a marker may be gone that was not read. */
        boolean isTooLate(long nowMillis) {
            return nowMillis - readMillis > InternalTopics.DELETE_RETENTION.toMillis();
        }

        /** All that was written by then is read. */
        long readMillis() {
            return readMillis;
        }

        /**
         * What must be read before there is something to note.
         *
         * @param nowMillis from before it was asked for the ends
         * @param ends of the changelog
         * @param read up to where it is read; none where nothing is
         * @return empty where it is not time yet; an empty map where all is read
         */
        Optional<Map<TopicPartition, Span>> remainingToAim(
                long nowMillis, Map<TopicPartition, Long> ends, Map<TopicPartition, Long> read) {
            if (aim.isEmpty()) {
                if (nowMillis - readMillis < NOTED.toMillis()) {
                    return Optional.empty();
                }
                aim = Map.copyOf(ends);
                aimMillis = nowMillis;
            }
            return Optional.of(SeedWatch.rest(aim, read));
        }

        /** The rest is read: returns the time to note. */
        long completeAim() {
            aim = Map.of();
            return aimMillis;
        }
    }

    /**
     * How far an index is with its seeds, or with what it is made from.
     *
     * @param topic that is being read; empty when all are
     * @param recordsRead of it, about: markers of transactions count too
     * @param records that it has, about
     * @param coordinatorsLeft coordinators that have not released all of it
     * @param predecessor the application.id of the index that it takes over from; empty for seeds
     * @param isFollowing whether that index keeps its input as yet, so that its records become more
     */
    public record SeedingStatus(
            String topic,
            long recordsRead,
            long records,
            int coordinatorsLeft,
            String predecessor,
            boolean isFollowing) {
        public static final SeedingStatus DONE = new SeedingStatus("", 0, 0, 0, "", false);

        public boolean isDone() {
            return topic.isEmpty();
        }
    }
}
