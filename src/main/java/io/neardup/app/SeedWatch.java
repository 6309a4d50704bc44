package io.neardup.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.app.RestReading.Rest;
import io.neardup.config.NeardupConfig;
import io.neardup.streams.SeedRead;
import io.neardup.streams.SeedRecords;
import io.neardup.streams.TopicNames;
import io.neardup.streams.input.SeedPlan;
import io.neardup.streams.input.Seeding;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Takes an index from one seed to the next. When a topic is brought to the homes to its end, by the positions that the
 * group has committed and as nothing to be read lies behind them, it writes the end behind its documents. What homes
 * say when they have released that, it reads from the settings topic. Every instance does so: an end that comes more
 * than once counts once.
 */
final class SeedWatch implements Runnable {
    static final long EVERY_MILLIS = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(SeedWatch.class);
    private static final int STALLED_SECONDS = 30;
    private static final long TELL_NANOS = 10_000_000_000L;

    private final TopicAdmin admin;
    private final GroupAdmin group;
    private final Seeding seeding;
    private final TopicNames names;
    private final Map<String, Object> clients;
    private final Set<String> ended = new HashSet<>();
    private final RestReading reading;
    private long leftBefore;
    private volatile SeedingStatus status = SeedingStatus.DONE;
    private long toldNanos = System.nanoTime();

    SeedWatch(NeardupConfig config, TopicAdmin admin, GroupAdmin group, Seeding seeding) {
        this.admin = admin;
        this.group = group;
        this.seeding = seeding;
        this.names = new TopicNames(config.applicationId());
        this.clients = StreamsSettings.clients(config);
        this.reading = new RestReading(clients);
    }

    /** How far it is, by the last look. */
    SeedingStatus status() {
        return status;
    }

    @Override
    public void run() {
        if (status.isDone()) {
            return;
        }
        try {
            catchUp();
            seeding.current().ifPresent(this::goOn);
        } catch (StartupException | KafkaException e) {
            LOG.atLevel(NoAnswer.is(e) ? Level.DEBUG : Level.WARN)
                    .log("could not look at the seeds, trying again; cause={}", e.toString());
        }
    }

    /** Reads what homes have said. */
    void catchUp() {
        if (!seeding.isDone()) {
            TopicPartition settings = new TopicPartition(names.settings(), 0);
            new CommittedRecords(clients, STALLED_SECONDS).read(admin.committedEnds(List.of(settings)), this::note);
        }
        status = seeding.current()
                .map(topic -> new SeedingStatus(
                        topic.name(), status.recordsRead(), status.records(), seeding.homesLeft(topic.name())))
                .orElse(SeedingStatus.DONE);
    }

    private void note(ConsumerRecord<byte[], byte[]> record) {
        String key = new String(record.key(), UTF_8);
        if (key.startsWith(SeedRead.PREFIX)) {
            SeedRead read = read(key, record.value());
            seeding.noteRead(read.topic(), read.home(), read.endSequence());
            if (seeding.isDone()) {
                LOG.info("all seeds are read topics={}", seeding.plan().names());
            }
        }
    }

    private static SeedRead read(String key, byte[] value) {
        try {
            return SeedRead.of(key, new String(value, UTF_8));
        } catch (IllegalArgumentException e) {
            throw new StartupException(List.of(e.getMessage()
                    + "; run the release that wrote it, or start anew under another" + " application.id"));
        }
    }

    private void goOn(SeedPlan.Topic topic) {
        List<TopicPartition> partitions = IntStream.range(0, topic.ends().size())
                .mapToObj(partition -> new TopicPartition(topic.name(), partition))
                .toList();
        Map<TopicPartition, Long> beginnings = admin.beginnings(partitions);
        Map<TopicPartition, Long> committed = group.committed();
        Map<TopicPartition, Rest> rest = new HashMap<>();
        long records = 0;
        long left = 0;
        for (TopicPartition partition : partitions) {
            long end = topic.ends().get(partition.partition());
            long beginning = Math.min(end, Objects.requireNonNull(beginnings.get(partition)));
            long position = Math.max(beginning, committed.getOrDefault(partition, 0L));
            records += end - beginning;
            left += Math.max(0, end - position);
            if (position < end) {
                rest.put(partition, new Rest(position, end));
            }
        }
        status = new SeedingStatus(topic.name(), records - left, records, seeding.homesLeft(topic.name()));
        tell();
        boolean isBrought = left == 0 || (left == leftBefore && !reading.hasRecords(rest));
        leftBefore = left;
        if (isBrought && !ended.contains(topic.name())) {
            end(topic.name());
            ended.add(topic.name());
        }
    }

    private void tell() {
        long nowNanos = System.nanoTime();
        if (nowNanos - toldNanos > TELL_NANOS) {
            toldNanos = nowNanos;
            LOG.info(
                    "seeding topic={} records.read={} records={} homes.left={}",
                    status.topic(),
                    status.recordsRead(),
                    status.records(),
                    status.homesLeft());
        }
    }

    private void end(String topic) {
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(new HashMap<>(clients), new ByteArraySerializer(), new ByteArraySerializer())) {
            for (int home = 0; home < seeding.homes(); home++) {
                producer.send(SeedRecords.end(names.seeds(), home, topic)).get();
            }
            LOG.info("brought a seed to the homes topic={} records={}", topic, status.records());
        } catch (ExecutionException e) {
            throw new KafkaException("the end of a seed could not be written", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
