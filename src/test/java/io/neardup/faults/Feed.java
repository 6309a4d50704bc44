package io.neardup.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.testing.Fed;
import io.neardup.testing.NewsFeed.News;
import io.neardup.testing.OwnThread;
import io.neardup.testing.Records;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Records that come at a steady rate, whatever happens; where brokers were away, what is due comes at once. Only where
 * very many have not come out yet does it wait: on a busy machine a run then takes longer. Each record goes to the
 * partition that Kafka chooses for its key. Some transactions are aborted, so that offsets have gaps.
 */
final class Feed implements AutoCloseable {
    private static final int BATCHES_A_SECOND = 10;

    /** Longer than any gap in the outputs that is to be expected. */
    private static final int BEHIND_MAX_SECONDS = 20;

    private static final double TOMBSTONES = 0.06;
    private static final double VERSIONS = 0.12;
    private static final double ABORTED = 0.05;
    private static final int COPY_AFTER_MAX = 1_500;

    private final String servers;
    private final Mix mix;
    private final List<News> news;
    private final int documentsPerSecond;
    private final IntSupplier out;
    private final Random random;
    private final CompletableFuture<Void> feeding;

    private final List<Fed> fed = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();
    private final Map<String, Fed> last = new HashMap<>();
    private final Queue<Copy> copies = new PriorityQueue<>(Comparator.comparing(Copy::dueCount));
    private int nextNews;
    private volatile int count;
    private volatile int partitions;
    private volatile boolean isStopped;
    private volatile long lastFedNanos = System.nanoTime();

    /**
     * What is fed besides news.
     *
     * @param topics input topics
     * @param partitions of each of them at first
     * @param grown partitions of each of them later
     * @param hasTombstones whether records take back earlier ones
     * @param hasVersions whether documents come again with another text
     */
    record Mix(long seed, List<String> topics, int partitions, int grown, boolean hasTombstones, boolean hasVersions) {
        /** News alone. */
        static Mix plain(int partitions) {
            return new Mix(1, List.of("documents"), partitions, partitions, false, false);
        }

        boolean takesBack() {
            return hasTombstones || hasVersions;
        }

        boolean grows() {
            return grown > partitions;
        }
    }

    /** The text of what was taken back, to come again to see by whom such a copy is judged. */
    private record Copy(int dueCount, String text) {}

    private record Sent(Fed fed, Future<RecordMetadata> at) {}

    /**
     * Starts to feed.
     *
     * @param news of which each record with a text takes one, until there are no more
     * @param out how many records have come out
     */
    Feed(String servers, Mix mix, List<News> news, int documentsPerSecond, IntSupplier out) {
        this.servers = servers;
        this.mix = mix;
        this.news = news;
        this.documentsPerSecond = documentsPerSecond;
        this.out = out;
        this.random = new Random(mix.seed * 0x9E3779B97F4A7C15L);
        this.partitions = mix.partitions;
        this.feeding = CompletableFuture.runAsync(this::feed, OwnThread.named("feed"));
    }

    private void feed() {
        long startNanos = System.nanoTime();
        Map<String, Object> settings = Map.of("transactional.id", "feed", "metadata.max.age.ms", 1_000);
        try (KafkaProducer<byte[], byte[]> producer = Records.bytesTo(servers, settings)) {
            producer.initTransactions();
            while (!isStopped && nextNews < news.size()) {
                if (random.nextDouble() < ABORTED) {
                    abort(producer);
                }
                feedBatch(producer);
                long dueNanos = startNanos + TimeUnit.SECONDS.toNanos(1) * count / documentsPerSecond;
                TimeUnit.NANOSECONDS.sleep(dueNanos - System.nanoTime());
                while (count - out.getAsInt() > documentsPerSecond * BEHIND_MAX_SECONDS && !isStopped) {
                    TimeUnit.MILLISECONDS.sleep(10);
                }
            }
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void abort(KafkaProducer<byte[], byte[]> producer) {
        producer.beginTransaction();
        Future<?> unused = producer.send(new ProducerRecord<>("documents", 0, null, new byte[] {'{', '}'}));
        producer.flush();
        producer.abortTransaction();
    }

    private void feedBatch(KafkaProducer<byte[], byte[]> producer) throws ExecutionException, InterruptedException {
        List<Sent> sent = new ArrayList<>();
        producer.beginTransaction();
        for (int i = 0; i < documentsPerSecond / BATCHES_A_SECOND && nextNews < news.size(); i++) {
            Fed next = next(count + i);
            sent.add(new Sent(
                    next,
                    producer.send(new ProducerRecord<>(
                            next.topic(),
                            next.partition(),
                            next.timestamp(),
                            next.keyBytes(),
                            next.value(),
                            next.headers()))));
        }
        producer.commitTransaction();
        for (Sent one : sent) {
            Fed at = one.fed;
            long offset = one.at.get().offset();
            fed.add(new Fed(at.name(), at.topic(), at.partition(), offset, at.key(), at.text(), at.atNanos()));
        }
        count = fed.size();
        lastFedNanos = System.nanoTime();
    }

    private Fed next(int number) {
        double drawn = random.nextDouble();
        Copy copy = copies.peek();
        if (copy != null && copy.dueCount <= number) {
            copies.remove();
            return document("copy-" + number, copy.text);
        }
        if (mix.hasTombstones && drawn < TOMBSTONES && !keys.isEmpty()) {
            return later("tombstone-" + number, keys.remove(random.nextInt(keys.size())), number, null);
        }
        if (mix.hasVersions && drawn > 1 - VERSIONS && !keys.isEmpty()) {
            String text = news.get(nextNews++).text();
            return later("version-" + number, keys.get(random.nextInt(keys.size())), number, text);
        }
        News next = news.get(nextNews++);
        return document(next.id(), next.text());
    }

    private Fed document(String key, String text) {
        if (mix.takesBack()) {
            keys.add(key);
        }
        return note(key, mix.topics.get(random.nextInt(mix.topics.size())), key, text);
    }

    /** The text that goes comes again as another document. */
    private Fed later(String name, String key, int number, @Nullable String text) {
        Fed before = Objects.requireNonNull(last.get(key));
        copies.add(new Copy(number + random.nextInt(COPY_AFTER_MAX), Objects.requireNonNull(before.text())));
        return note(name, before.topic(), key, text);
    }

    private Fed note(String name, String topic, String key, @Nullable String text) {
        int partition = Utils.toPositive(Utils.murmur2(key.getBytes(UTF_8))) % partitions;
        Fed next = new Fed(name, topic, partition, -1, key, text, System.nanoTime());
        if (mix.takesBack()) {
            last.put(key, next);
        }
        return next;
    }

    /** From now on keys go to more partitions. */
    void grow() throws ExecutionException, InterruptedException {
        for (String topic : mix.topics) {
            Records.grow(servers, topic, mix.grown);
        }
        partitions = mix.grown;
    }

    /** How many have arrived; fails if the feed has. */
    int count() {
        if (feeding.isCompletedExceptionally()) {
            feeding.join();
        }
        return count;
    }

    /** Whether there are no more news. */
    boolean isDone() {
        return count() > 0 && feeding.isDone();
    }

    /** By {@link System#nanoTime}. */
    long lastFedNanos() {
        return lastFedNanos;
    }

    /** Ends after the batch that is under way; returns all that was fed, those of a partition in their order. */
    List<Fed> stop() {
        isStopped = true;
        feeding.join();
        return fed;
    }

    @Override
    public void close() {
        isStopped = true;
    }
}
