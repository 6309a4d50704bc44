package io.neardup.service.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.config.NeardupConfig;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.input.Takeover;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.CutoverEvent;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.SeedRecords.SeedRead;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * What instances, coordinators and commands have noted in the settings topic of an index after it was made, by the
 * committed records up to a point. One thread reads on; any may ask.
 */
public final class SettingsReader {
    private final ClusterAdmin admin;
    private final CommittedRecords records;
    private final TopicPartition partition;
    private final List<SeedRead> seedsRead = new CopyOnWriteArrayList<>();
    private volatile Cutover cutover = Cutover.NONE;
    private volatile Optional<Predecessor> predecessor = Optional.empty();
    private volatile Optional<Takeover> takeover = Optional.empty();
    private volatile Optional<Long> followedMillis = Optional.empty();
    private long position;

    /** @param applicationId of the index, whose topic must be there */
    public SettingsReader(NeardupConfig config, ClusterAdmin admin, String applicationId) {
        this.admin = admin;
        this.records = new CommittedRecords(StreamsSettings.clients(config), (int) admin.answerSeconds());
        this.partition = new TopicPartition(new TopicNames(applicationId).settings(), 0);
    }

    /** Reads what is committed by now. A record that cannot be understood is read again the next time. */
    public synchronized void catchUp() {
        readTo(admin.committedEnds(List.of(partition)));
    }

    /** Reads all that is written by now, also what an open transaction holds up. */
    public synchronized void catchUpDecided() {
        readTo(admin.decidedEnds(List.of(partition)));
    }

    private void readTo(Map<TopicPartition, Long> ends) {
        long end = Objects.requireNonNull(ends.get(partition), partition.topic());
        if (end > position) {
            records.read(Map.of(partition, position), ends, this::take);
            position = Math.max(position, end);
        }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        String key = new String(record.key(), UTF_8);
        try {
            if (CutoverEvent.isEvent(key)) {
                cutover = cutover.with(CutoverEvent.decode(key, record.value()), record.timestamp());
            } else if (key.startsWith(SeedRead.PREFIX)) {
                seedsRead.add(SeedRead.of(key, new String(record.value(), UTF_8)));
            }
        } catch (IllegalArgumentException e) {
            throw new StartupException("topic " + record.topic() + ", offset " + record.offset() + ": "
                    + e.getMessage()
                    + "; run the release that wrote it, or start anew under another application.id");
        }
        Optional<Predecessor> made = SettingsTopic.PREDECESSOR.of(record);
        predecessor = predecessor.or(() -> made);
        takeover = takeover.or(() -> SettingsTopic.TAKEOVER.of(record));
        // Nothing was read when the index was made.
        followedMillis = made.map(unused -> record.timestamp())
                .or(() -> SettingsTopic.FOLLOWED.of(record))
                .or(() -> followedMillis);
        position = record.offset() + 1;
    }

    public Cutover cutover() {
        return cutover;
    }

    public Optional<Predecessor> predecessor() {
        return predecessor;
    }

    public boolean isMadeFrom(StoredIndex index) {
        return predecessor.map(Predecessor::index).filter(index.id()::equals).isPresent();
    }

    /** What it takes over of that; empty until that has handed over. */
    public Optional<Takeover> takeover() {
        return takeover;
    }

    /** When all that the predecessor had written was read; empty where there is none. */
    public Optional<Long> followedMillis() {
        return followedMillis;
    }

    /** The seeds that coordinators have read, each of these once or more. */
    public List<SeedRead> seedsRead() {
        return seedsRead;
    }

    /** Coordinators that have not taken over all of the predecessor; empty where that is not settled. */
    public Optional<Integer> coordinatorsLeft() {
        // Other seeds are those that the predecessor had.
        String followed = predecessor.map(Predecessor::topic).orElse("");
        Set<Integer> done = seedsRead.stream()
                .filter(read -> read.topic().equals(followed))
                .map(SeedRead::coordinator)
                .collect(Collectors.toSet());
        return takeover.map(settled -> settled.starts().size() - done.size());
    }

    /** Whether it has a predecessor and needs nothing of it any more. */
    public boolean hasTakenOver() {
        return coordinatorsLeft().filter(left -> left == 0).isPresent();
    }
}
