package io.neardup.tools.feed;

import static org.apache.kafka.clients.CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.Topics;
import io.neardup.tools.feed.Publication.FeedAhead.Ahead;
import io.neardup.tools.feed.SentPositions.SentFile;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.producer.KafkaProducer;
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
    /** A transaction is committed after so many records. */
    static final int TRANSACTION_RECORDS = 20_000;

    private static final long TRANSACTION_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** For the key, the headers and the batch around a value. */
    private static final int RECORD_OVERHEAD_BYTES = 1 << 14;

    private static final long WAIT_MILLIS_MAX = 100;
    private final Options options;
    private final SentPositions positions;
    private final LongConsumer progress;
    private Consumer<Skipped.Part> eachSkipped = part -> {};
    private volatile boolean stopped;

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
     * Sends what is not sent yet.
     *
     * @param recordBytesMax longer records are counted, not sent; the topic may take less
     * @throws IOException if a file cannot be read; what was committed before stays sent.
     * @throws StartupException if the cluster does not take it
     */
    public Summary run(Feed.Kind kind, int recordBytesMax) throws IOException, InterruptedException {
        String servers = String.valueOf(options.clients().get(BOOTSTRAP_SERVERS_CONFIG));
        try (ClusterAdmin admin = new ClusterAdmin(Admin.create(options.clients()), servers)) {
            int bytesMax = Math.min(recordBytesMax, topicBytesMax(admin) - RECORD_OVERHEAD_BYTES);
            positions.look(admin);
            Feed files =
                    new Feed(options.files(), options.standardInput(), kind, bytesMax).reportingSkipped(eachSkipped);
            files.select(positions);
            try (FeedAhead feed = new FeedAhead(files, positions::opened)) {
                return send(files, feed, admin);
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

    /** From here on, an earlier call of the same command is shut out. */
    private Summary send(Feed files, FeedAhead feed, ClusterAdmin admin) throws IOException, InterruptedException {
        KafkaProducer<byte[], byte[]> producer = BulkProducer.transactional(options.clients(), positions.id());
        try {
            positions.lookAgain(admin);
            return send(files, feed, producer);
        } finally {
            producer.close(BulkProducer.CLOSING);
        }
    }

    private Summary send(Feed files, FeedAhead feed, KafkaProducer<byte[], byte[]> producer)
            throws IOException, InterruptedException {
        long before = positions.before();
        long startNanos = System.nanoTime();
        long begunNanos = 0;
        int count = 0;
        records = before;
        while (!stopped && !feed.isEnded()) {
            Ahead next = awaitDue(startNanos) ? feed.next(WAIT_MILLIS_MAX) : null;
            if (next != null && !positions.isSentBefore(next.file())) {
                if (count == 0) {
                    producer.beginTransaction();
                    begunNanos = System.nanoTime();
                }
                send(next.record(), producer);
                positions.took(next.file());
                records++;
                count++;
            }
            if (count == TRANSACTION_RECORDS || (count > 0 && System.nanoTime() - begunNanos > TRANSACTION_NANOS)) {
                commit(producer);
                count = 0;
            }
        }
        boolean isEnded = feed.isEnded();
        if (isEnded) {
            positions.endOfFile();
        }
        if (count == 0) {
            producer.beginTransaction();
        }
        commit(producer);
        double seconds = Math.round((System.nanoTime() - startNanos) / 1e6) / 1e3;
        return new Summary(records, before, sent, tooLarge, !isEnded, seconds, files.skippedTotals());
    }

    private void commit(KafkaProducer<byte[], byte[]> producer) {
        positions.note(producer);
        producer.commitTransaction();
        progress.accept(records);
    }

    private void send(FeedRecord record, KafkaProducer<byte[], byte[]> producer) {
        if (record.isOversized()) {
            tooLarge++;
            return;
        }
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

    private int topicBytesMax(ClusterAdmin admin) {
        String topic = options.topic();
        if (admin.findNow(List.of(topic)).isEmpty()) {
            throw new StartupException("expected the topic " + topic
                    + ", found none of that name: create it (kafka-topics.sh --create --topic " + topic
                    + " --partitions 4 ...), or start the service with run --create-topics first");
        }
        Config settings = Objects.requireNonNull(admin.settings(List.of(topic)).get(topic));
        return Integer.parseInt(Topics.value(settings, TopicConfig.MAX_MESSAGE_BYTES_CONFIG));
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

    /**
     * Reads a feed ahead, on a thread of its own: so who takes the records can wait for the next one no longer than it
     * wants, also where a feed stands still, as a standard input does that somebody writes to now and then. Of
     * what is read ahead it holds {@value #BYTES_MAX} bytes, or one record that is longer. For one taker.
     */
    static final class FeedAhead implements AutoCloseable {
        private static final int BYTES_MAX = 4 << 20;
        /** What a record takes beside its bytes. */
        private static final int RECORD_BYTES = 200;

        private final Feed feed;
        private final Supplier<SentFile> file;
        private final Semaphore room = new Semaphore(BYTES_MAX);
        private final BlockingQueue<Ahead> read = new LinkedBlockingQueue<>();
        private volatile @Nullable Throwable failure;
        private volatile boolean isRead;
        private volatile boolean isClosed;

        /** A record, and what it is of. */
        record Ahead(FeedRecord record, SentFile file) {
            private int cost() {
                return Math.min(RECORD_BYTES + record.bytes().length, BYTES_MAX);
            }
        }

        /**
         * Begins to read; the feed is closed at its end, or when this is closed.
         *
         * @param file what the last record of the feed is of
         */
        FeedAhead(Feed feed, Supplier<SentFile> file) {
            this.feed = feed;
            this.file = file;
            // Reading the standard input cannot be interrupted; a daemon does not keep the process alive.
            Thread thread = new Thread(this::run, "neardup-feed");
            thread.setDaemon(true);
            thread.start();
        }

        private void run() {
            try (feed) {
                FeedRecord record = feed.next();
                while (record != null && !isClosed) {
                    Ahead ahead = new Ahead(record, file.get());
                    room.acquireUninterruptibly(ahead.cost());
                    read.add(ahead);
                    record = feed.next();
                }
            } catch (IOException | RuntimeException | Error e) {
                failure = e;
            }
            isRead = true;
        }

        /** The next record; null at the end, or where none came in time. */
        @Nullable
        Ahead next(long waitMillis) throws IOException, InterruptedException {
            Ahead next = read.poll(waitMillis, TimeUnit.MILLISECONDS);
            if (next != null) {
                room.release(next.cost());
            } else if (isRead && read.isEmpty() && failure != null) {
                throw failure instanceof IOException known ? known : new IOException(failure);
            }
            return next;
        }

        /** Whether all was taken. */
        boolean isEnded() {
            return isRead && read.isEmpty() && failure == null;
        }

        /** Whoever waits for room goes on. */
        @Override
        public void close() {
            isClosed = true;
            room.release(BYTES_MAX);
        }
    }
}
