package io.neardup.tools.feed;

import static org.apache.kafka.clients.CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.Topics;
import io.neardup.tools.feed.FeedAhead.Ahead;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/**
 * Sends a feed to a topic, in transactions: with the records the positions in its files are committed, so that after a
 * stop of any kind nothing is lost and nothing that is committed is sent again. A record's key is its place, its value
 * the record. Readers must be of {@code isolation.level=read_committed}, as the service is. For one thread;
 * {@link #stop} may be called by another.
 */
public final class Publication {
    /** What a slow line, or a quota of the cluster, lets through before the transaction or its commit times out. */
    static final int TRANSACTION_BYTES = 8 << 20;

    private static final long TRANSACTION_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** For the key, the headers and the batch around a value. */
    private static final int RECORD_OVERHEAD_BYTES = 1 << 14;

    private static final long WAIT_MILLIS_MAX = 100;
    /** Records that are looked at before the first is sent, and bytes of them that are held meanwhile. */
    private static final int FIRST_MAX = 100;

    private static final long FIRST_BYTES_MAX = 32 << 20;
    private final Options options;
    private final SentPositions positions;
    private final LongConsumer progress;
    private Consumer<Skipped.Part> eachSkipped = part -> {};
    private Predicate<FeedRecord> wanted = record -> true;
    private Supplier<? extends IOException> noneWanted = IOException::new;
    private volatile boolean stopped;

    private long startNanos;
    private long records;
    private long sent;
    private long tooLarge;

    /** @param progress is told how many records are committed, now and then */
    public Publication(Options options, LongConsumer progress) {
        this.options = options;
        this.positions = new SentPositions(options);
        this.progress = progress;
    }

    public void stop() {
        stopped = true;
    }

    /** Reports each part of the files that is skipped, on a thread of its own; to be called before {@link #run}. */
    public void reportSkipped(Consumer<Skipped.Part> reported) {
        eachSkipped = reported;
    }

    /**
     * Sends nothing where none of the first {@value #FIRST_MAX} records of the files is wanted, or of all, if they are
     * fewer. Where an earlier run has sent some of them that is known. To be called before {@link #run}.
     */
    public void requireAny(Predicate<FeedRecord> isWanted, Supplier<? extends IOException> none) {
        wanted = isWanted;
        noneWanted = none;
    }

    /**
     * Sends what is not sent yet.
     *
     * @param recordBytesMax longer records are counted, not sent; the topic may take less
     * @throws IOException if a file cannot be read; what was committed before stays sent. And where none is wanted
     * @throws StartupException if the cluster does not take it
     */
    public Summary run(Feed.Kind kind, int recordBytesMax) throws IOException, InterruptedException {
        String servers = String.valueOf(options.clients().get(BOOTSTRAP_SERVERS_CONFIG));
        try (ClusterAdmin admin = new ClusterAdmin(Admin.create(options.clients()), servers)) {
            int bytesMax = Math.min(recordBytesMax, topicBytesMax(admin) - RECORD_OVERHEAD_BYTES);
            positions.readPositions(admin);
            Feed files =
                    new Feed(options.files(), options.standardInput(), kind, bytesMax).reportingSkipped(eachSkipped);
            files.select(positions);
            positions.requireUnchanged();
            try (FeedAhead feed = new FeedAhead(files, positions::currentFile)) {
                lookAtFirst(feed);
                try (Producer<byte[], byte[]> producer =
                        BulkProducer.transactional(options.clients(), positions.id())) {
                    // Only now: there is nothing more that this feed is refused for.
                    positions.fenceOthers(producer, admin);
                    return send(files, feed, producer);
                }
            }
        } catch (KafkaException e) {
            throw BulkProducer.refused(
                    positions.id(),
                    options.topic(),
                    e,
                    AclOperation.WRITE,
                    "the topic " + options.topic() + " does not take the records");
        }
    }

    private void lookAtFirst(FeedAhead feed) throws IOException, InterruptedException {
        List<Ahead> first = new ArrayList<>();
        long bytes = 0;
        boolean isAny = false;
        boolean isFound = positions.before() > 0;
        while (!isFound && first.size() < FIRST_MAX && bytes <= FIRST_BYTES_MAX && !feed.isEnded() && !stopped) {
            Ahead next = feed.next(WAIT_MILLIS_MAX);
            if (next != null) {
                FeedRecord record = next.record();
                first.add(next);
                bytes += record.bytes().length;
                isAny |= !record.isOversized();
                isFound = !record.isOversized() && wanted.test(record);
            }
        }
        if (isAny && !isFound && !stopped) {
            throw noneWanted.get();
        }
        feed.putBack(first);
    }

    private Summary send(Feed files, FeedAhead feed, Producer<byte[], byte[]> producer)
            throws IOException, InterruptedException {
        long before = positions.before();
        records = before;
        FeedRecord first = await(feed);
        startNanos = System.nanoTime();
        while (first != null) {
            producer.beginTransaction();
            sendMore(feed, producer, send(first, producer));
            positions.writePositions(producer);
            producer.commitTransaction();
            progress.accept(records);
            first = await(feed);
        }
        boolean isEnded = feed.isEnded();
        if (isEnded) {
            positions.endOfFile();
        }
        positions.close(producer);
        double seconds = Math.round((System.nanoTime() - startNanos) / 1e6) / 1e3;
        return new Summary(records, before, sent, tooLarge, stopped && !isEnded, seconds, files.skippedTotals());
    }

    /** The next record that is to be sent, however long it takes; null at the end, or at a stop. */
    private @Nullable FeedRecord await(FeedAhead feed) throws IOException, InterruptedException {
        FeedRecord record = null;
        while (record == null && !feed.isEnded() && !stopped) {
            record = next(feed);
        }
        return record;
    }

    /**
     * What belongs into the transaction that has begun.
     *
     * @param begunBytes what it has already
     */
    private void sendMore(FeedAhead feed, Producer<byte[], byte[]> producer, int begunBytes)
            throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + TRANSACTION_NANOS;
        long bytes = begunBytes;
        while (bytes < TRANSACTION_BYTES && !feed.isEnded() && !stopped && System.nanoTime() < endNanos) {
            FeedRecord record = next(feed);
            if (record != null) {
                bytes += send(record, producer);
            }
        }
    }

    /** Null where none is due or comes in a short while, and in the place of each that was sent before. */
    private @Nullable FeedRecord next(FeedAhead feed) throws IOException, InterruptedException {
        Ahead record = awaitDue() ? feed.next(WAIT_MILLIS_MAX) : null;
        return record == null || !positions.countNext(record.file()) ? null : record.record();
    }

    /** @return bytes of key and value */
    private int send(FeedRecord record, Producer<byte[], byte[]> producer) {
        records++;
        if (record.isOversized()) {
            tooLarge++;
            return 0;
        }
        byte[] key = record.key();
        // What fails lets the commit fail.
        Future<?> unused = producer.send(new ProducerRecord<>(options.topic(), key, record.bytes()));
        sent++;
        return key.length + record.bytes().length;
    }

    /**
     * Waits until the next record is due, or for a short while: so that a stop is not kept waiting, nor is a
     * transaction, which the cluster gives up when it is too old.
     *
     * @return whether it is due
     */
    private boolean awaitDue() throws InterruptedException {
        if (options.rate() == 0 || sent == 0) {
            return true;
        }
        double dueNanos = startNanos + TimeUnit.SECONDS.toNanos(1) * (sent / options.rate());
        long leftMillis = (long) ((dueNanos - System.nanoTime()) / TimeUnit.MILLISECONDS.toNanos(1));
        if (leftMillis > 0) {
            TimeUnit.MILLISECONDS.sleep(Math.min(leftMillis, WAIT_MILLIS_MAX));
        }
        return leftMillis <= WAIT_MILLIS_MAX;
    }

    private int topicBytesMax(ClusterAdmin admin) {
        String topic = options.topic();
        if (admin.findNow(List.of(topic)).isEmpty()) {
            throw new StartupException("expected the topic " + topic
                    + ", found none of that name: create it (kafka-topics.sh --create --topic " + topic
                    + " --partitions 4 ...), or start the service with run --create-topics first");
        }
        return Integer.parseInt(Topics.value(admin.settings(topic), TopicConfig.MAX_MESSAGE_BYTES_CONFIG));
    }

    /**
     * What is to be sent, and where.
     *
     * @param applicationId what the names of transactions and positions begin with
     * @param topic must exist
     * @param files as for a {@link Feed}
     * @param rate records a second at the most; 0 for as many as the cluster takes
     */
    public record Options(
            Map<String, Object> clients,
            String applicationId,
            String topic,
            List<String> files,
            InputStream standardInput,
            double rate,
            boolean fromStart) {
        public Options {
            clients = Map.copyOf(clients);
            files = List.copyOf(files);
        }
    }

    /**
     * What was sent.
     *
     * @param records of the files, those that an earlier run had sent included
     * @param seconds from the first record to the last acknowledgement, whole milliseconds
     */
    public record Summary(
            long records,
            @JsonProperty("sentBefore") long before,
            long sent,
            long tooLarge,
            boolean stopped,
            double seconds,
            Skipped.Totals skipped) {}
}
