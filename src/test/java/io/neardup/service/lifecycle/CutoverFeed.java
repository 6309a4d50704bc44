package io.neardup.service.lifecycle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.testing.NewsFeed;
import io.neardup.testing.NewsFeed.News;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * The input of a run: news, tombstones and new versions of earlier ones, and copies of what these have taken back, to
 * see by whom such a copy is judged. Each record has a number of its own in a header, and goes to the partition that
 * Kafka chooses for its key. Some transactions are aborted, so that offsets have gaps.
 */
final class CutoverFeed implements AutoCloseable {
    static final String NUMBER = "number";

    private static final int BATCH = 10;
    private static final long BATCH_MILLIS = 100;
    /** More than is fed in any time that a run may take. */
    private static final int NEWS_MAX = 20_000;

    private static final double TOMBSTONES = 0.06;
    private static final double VERSIONS = 0.12;
    private static final double ABORTED = 0.05;
    private static final int COPY_AFTER_MAX = 1_500;

    private final CutoverPlan plan;
    private final Random random;
    private final List<News> news;
    private final KafkaProducer<byte[], byte[]> producer;
    private final List<Fed> fed = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();
    private final Map<String, Fed> last = new HashMap<>();
    private final Queue<Copy> copies = new PriorityQueue<>((a, b) -> Integer.compare(a.dueNumber, b.dueNumber));
    private int nextNews;
    private int partitions;
    private volatile boolean isStopped;

    /**
     * A record of the input.
     *
     * @param number from 0, in the order in which they were sent
     * @param text null for a tombstone
     * @param atNanos when it was sent, by {@link System#nanoTime}
     */
    record Fed(
            int number,
            String topic,
            int partition,
            long offset,
            String key,
            @Nullable String text,
            long atNanos) {
        boolean isTombstone() {
            return text == null;
        }
    }

    private record Copy(int dueNumber, String text) {}

    private record Sent(Fed fed, Future<RecordMetadata> at) {}

    CutoverFeed(String servers, CutoverPlan plan) {
        this.plan = plan;
        this.random = plan.ofFeed();
        this.news = NewsFeed.generate(NEWS_MAX, plan.seed());
        this.partitions = plan.coordinators();
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers, "transactional.id", "cutover-feed", "metadata.max.age.ms", 1_000),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        producer.initTransactions();
    }

    /** Feeds so many batches, or until it is stopped, at a steady rate. */
    void feed(int batches) throws ExecutionException, InterruptedException {
        for (int batch = 0; batch < batches && !isStopped; batch++) {
            if (random.nextDouble() < ABORTED) {
                abort();
            }
            feedBatch();
            TimeUnit.MILLISECONDS.sleep(BATCH_MILLIS);
        }
    }

    private void abort() {
        producer.beginTransaction();
        Future<?> unused = producer.send(new ProducerRecord<>("documents", 0, null, new byte[] {'{', '}'}));
        producer.flush();
        producer.abortTransaction();
    }

    private void feedBatch() throws ExecutionException, InterruptedException {
        List<Sent> sent = new ArrayList<>();
        producer.beginTransaction();
        for (int i = 0; i < BATCH; i++) {
            Fed next = next(fed.size() + i);
            sent.add(new Sent(next, send(next)));
        }
        producer.commitTransaction();
        for (Sent one : sent) {
            Fed at = one.fed;
            fed.add(new Fed(at.number, at.topic, at.partition, one.at.get().offset(), at.key, at.text, at.atNanos));
        }
    }

    private Fed next(int number) {
        double drawn = random.nextDouble();
        Copy copy = copies.peek();
        if (copy != null && copy.dueNumber <= number) {
            copies.remove();
            return document(number, "copy-" + number, copy.text);
        }
        if (plan.hasTombstones() && drawn < TOMBSTONES && !keys.isEmpty()) {
            return takenBack(number, keys.remove(random.nextInt(keys.size())));
        }
        if (plan.replacesVersions() && drawn > 1 - VERSIONS && !keys.isEmpty()) {
            return version(number, keys.get(random.nextInt(keys.size())));
        }
        News next = news.get(nextNews++);
        return document(number, next.id(), next.text());
    }

    private Fed document(int number, String key, String text) {
        keys.add(key);
        return note(number, plan.topics().get(random.nextInt(plan.topics().size())), key, text);
    }

    private Fed takenBack(int number, String key) {
        Fed before = copyLater(number, key);
        return note(number, before.topic, key, null);
    }

    private Fed version(int number, String key) {
        Fed before = copyLater(number, key);
        return note(number, before.topic, key, news.get(nextNews++).text());
    }

    /** The text that goes comes again as another document. */
    private Fed copyLater(int number, String key) {
        Fed before = last.get(key);
        if (before == null || before.text == null) {
            throw new IllegalStateException(key);
        }
        copies.add(new Copy(number + random.nextInt(COPY_AFTER_MAX), before.text));
        return before;
    }

    private Fed note(int number, String topic, String key, @Nullable String text) {
        int partition = Utils.toPositive(Utils.murmur2(key.getBytes(UTF_8))) % partitions;
        Fed next = new Fed(number, topic, partition, -1, key, text, System.nanoTime());
        last.put(key, next);
        return next;
    }

    private Future<RecordMetadata> send(Fed record) {
        News as = new News(record.key, record.text == null ? "" : record.text);
        List<Header> headers = new ArrayList<>(as.headers());
        headers.add(new RecordHeader(NUMBER, String.valueOf(record.number).getBytes(UTF_8)));
        return producer.send(new ProducerRecord<>(
                record.topic,
                record.partition,
                as.timestamp(),
                record.key.getBytes(UTF_8),
                record.isTombstone() ? null : as.json(),
                headers));
    }

    /** From now on keys go to more partitions. Not while it feeds. */
    void grow() {
        partitions = plan.partitions();
    }

    /** Ends after the batch that is under way. */
    void stop() {
        isStopped = true;
    }

    /** All that was fed; to be asked when none is any more. */
    List<Fed> fed() {
        return fed;
    }

    @Override
    public void close() {
        producer.close();
    }
}
