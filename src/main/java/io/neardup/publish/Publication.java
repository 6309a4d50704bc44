package io.neardup.publish;

import io.neardup.feed.Feed;
import io.neardup.feed.FeedRecord;
import io.neardup.feed.PassedOverPart;
import io.neardup.publish.FeedAhead.Ahead;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * Sends a feed to a topic, in transactions: with the records the positions in its files are committed, so that after a
 * stop of any kind nothing is lost and nothing that is committed is sent again. A record's key is its place, its value
 * the record. Readers must be of {@code isolation.level=read_committed}, as the service is. For one thread;
 * {@link #stop} may be called by another.
 */
public final class Publication {
    /** A transaction is committed after so many records. */
    static final int TRANSACTION_RECORDS = 20_000;

    private static final long TRANSACTION_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** For the key, the headers and the batch around a value. */
    private static final int RECORD_OVERHEAD_BYTES = 1 << 14;

    private static final long WAIT_MILLIS_MAX = 100;
    private final PublishOptions options;
    private final LongConsumer progress;
    private Consumer<PassedOverPart> passedOver = part -> {};
    private Consumer<FeedRecord> sending = record -> {};
    private volatile boolean stopped;

    private long records;
    private long sent;
    private long tooLarge;

    /** @param progress is told how many records are committed, now and then */
    public Publication(PublishOptions options, LongConsumer progress) {
        this.options = options;
        this.progress = progress;
    }

    /** Ends after the next commit. */
    public void stop() {
        stopped = true;
    }

    /** Tells each part of the files that is passed over, on a thread of its own; to be called before {@link #run}. */
    public void tellPassedOver(Consumer<PassedOverPart> told) {
        passedOver = told;
    }

    /** Tells each record that is sent, on the thread of {@link #run}; to be called before that. */
    public void tellSending(Consumer<FeedRecord> told) {
        sending = told;
    }

    /**
     * Sends what is not sent yet.
     *
     * @param recordBytesMax longer records are counted, not sent; the topic may take less
     * @throws IOException if a file cannot be read; what was committed before stays sent
     * @throws PublishException if the cluster does not take it
     */
    public PublishSummary run(Feed.Kind kind, int recordBytesMax) throws IOException, InterruptedException {
        SentPositions positions = new SentPositions(options);
        Refusals refusals = new Refusals(positions.id(), options.topic());
        try (Admin admin = Admin.create(options.clients())) {
            int bytesMax = Math.min(recordBytesMax, topicBytesMax(admin, refusals) - RECORD_OVERHEAD_BYTES);
            positions.prepare(admin);
            // First, so that what an earlier run left open is ended before positions are read.
            try (KafkaProducer<byte[], byte[]> producer =
                    BulkProducer.transactional(options.clients(), positions.id())) {
                producer.initTransactions();
                positions.take(producer, admin);
                Feed files = new Feed(options.files(), options.standardInput(), kind, bytesMax)
                        .tellingPassedOver(passedOver);
                files.select(positions);
                records = positions.before(producer);
                try (FeedAhead feed = new FeedAhead(files, positions::opened)) {
                    return send(feed, producer, positions);
                }
            }
        } catch (KafkaException e) {
            throw refusals.explained(
                    e, AclOperation.WRITE, "the topic " + options.topic() + " does not take the records");
        }
    }

    private PublishSummary send(FeedAhead feed, KafkaProducer<byte[], byte[]> producer, SentPositions positions)
            throws IOException, InterruptedException {
        long before = records;
        Ahead next = await(feed);
        long startNanos = System.nanoTime();
        while (next != null) {
            if (awaitDue(startNanos)) {
                producer.beginTransaction();
                next = transaction(feed, next, producer, positions, startNanos);
                positions.note(producer);
                producer.commitTransaction();
                progress.accept(records);
            }
            next = stopped ? null : next != null ? next : await(feed);
        }
        boolean isEnded = feed.isEnded();
        if (isEnded) {
            positions.endOfFile();
        }
        positions.close(producer);
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        return new PublishSummary(records, before, sent, tooLarge, stopped && !isEnded, feed.passedOver(), seconds);
    }

    /** The next record, however long it takes; null at the end, or at a stop. */
    private @Nullable Ahead await(FeedAhead feed) throws IOException, InterruptedException {
        Ahead record = stopped ? null : feed.next(WAIT_MILLIS_MAX);
        while (record == null && !feed.isEnded() && !stopped) {
            record = feed.next(WAIT_MILLIS_MAX);
        }
        return record;
    }

    /**
     * Sends some records, the first of them given; returns one that follows, or null where none came while there was
     * time.
     */
    private @Nullable Ahead transaction(
            FeedAhead feed,
            Ahead first,
            KafkaProducer<byte[], byte[]> producer,
            SentPositions positions,
            long startNanos)
            throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + TRANSACTION_NANOS;
        Ahead record = first;
        int count = 0;
        while (count < TRANSACTION_RECORDS
                && !(record == null && feed.isEnded())
                && !stopped
                && System.nanoTime() < endNanos) {
            if (record == null) {
                record = feed.next(WAIT_MILLIS_MAX);
            } else if (awaitDue(startNanos)) {
                send(record.record(), producer);
                positions.took(record.file());
                records++;
                count++;
                record = feed.next(0);
            }
        }
        return record;
    }

    private void send(FeedRecord record, KafkaProducer<byte[], byte[]> producer) {
        if (record.isOversized()) {
            tooLarge++;
            return;
        }
        sending.accept(record);
        // What fails lets the commit fail.
        Future<?> unused = producer.send(new ProducerRecord<>(options.topic(), record.key(), record.bytes()));
        sent++;
    }

    /**
     * Waits until the next record is due, or for a short while: so that a stop is not kept waiting, nor is a
     * transaction, which the cluster gives up when it is too old.
     *
     * @return whether it is due
     */
    private boolean awaitDue(long startNanos) throws InterruptedException {
        if (options.rate() == 0) {
            return true;
        }
        double dueNanos = startNanos + TimeUnit.SECONDS.toNanos(1) * (sent / options.rate());
        long leftMillis = (long) ((dueNanos - System.nanoTime()) / TimeUnit.MILLISECONDS.toNanos(1));
        if (leftMillis > 0) {
            TimeUnit.MILLISECONDS.sleep(Math.min(leftMillis, WAIT_MILLIS_MAX));
        }
        return leftMillis <= WAIT_MILLIS_MAX;
    }

    private int topicBytesMax(Admin admin, Refusals refusals) throws InterruptedException {
        ConfigResource topic = new ConfigResource(ConfigResource.Type.TOPIC, options.topic());
        try {
            admin.describeTopics(List.of(options.topic())).allTopicNames().get();
            Config config = Objects.requireNonNull(
                    admin.describeConfigs(List.of(topic)).all().get().get(topic));
            ConfigEntry entry = Objects.requireNonNull(config.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG));
            return Integer.parseInt(Objects.requireNonNull(entry.value()));
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                throw new PublishException(
                        "expected the topic " + options.topic()
                                + ", found none of that name: create it (kafka-topics.sh"
                                + " --create --topic " + options.topic()
                                + " --partitions 4 ...), or start the service with run --create-topics first",
                        e);
            }
            String expected = "expected the topic " + options.topic() + ", which must be there";
            throw refusals.explained(e, AclOperation.DESCRIBE_CONFIGS, expected);
        }
    }
}
