package io.neardup.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.neardup.config.NeardupConfig;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NormalizedText;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.Printable;
import io.neardup.service.cluster.CommittedRecords;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.service.http.WordDiff.Passage;
import io.neardup.streams.topology.OutputRecords;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the texts of what left last back from the outputs, what is committed of it, for people who look on. It joins no
 * group, and reads only while somebody asks: from some {@value #RECORDS_BACK} records back on, at most {@value
 * #SECOND_RECORDS} records or {@value #SECOND_BYTES} bytes a second. Where more comes it skips what is between.
 * Thread-safe.
 */
public final class DuplicateTexts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DuplicateTexts.class);
    private static final int RECORDS_BACK = 4_000;
    private static final int SECOND_RECORDS = 2_000;
    private static final int SECOND_BYTES = 8 << 20;
    private static final long UNASKED_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final Duration POLL = Duration.ofMillis(200);

    private final NeardupConfig config;
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Thread reader;
    private long askedNanos;
    private long failedNanos = System.nanoTime() - RETRY_NANOS;
    private volatile List<Pair> latest = List.of();
    private volatile String problem = "";

    /**
     * A duplicate beside its original.
     *
     * @param similarity as the service found it
     * @param passages the original, first, and the duplicate; none where the original's text is not at hand
     */
    public record Pair(
            String id, @JsonProperty("original") String originalId, double similarity, List<Passage> passages) {
        public Pair {
            passages = List.copyOf(passages);
        }
    }

    private DuplicateTexts(NeardupConfig config) {
        this.config = config;
    }

    /** A reader of the texts, to be closed by who asks for it; empty where they are not to be shown. */
    public static Optional<DuplicateTexts> of(NeardupConfig config) {
        boolean shows = config.httpTexts() && config.keepsTexts();
        return shows ? Optional.of(new DuplicateTexts(config)) : Optional.empty();
    }

    /** The latest duplicates, the latest first. Does not wait: who asks first gets none. */
    public synchronized List<Pair> latest() {
        askedNanos = System.nanoTime();
        if (reader == null && closed.getCount() > 0 && askedNanos - failedNanos >= RETRY_NANOS) {
            reader = new Thread(this::read, "neardup-texts");
            reader.setDaemon(true);
            reader.start();
        }
        return latest;
    }

    private synchronized boolean endsUnasked() {
        boolean ends = closed.getCount() == 0 || System.nanoTime() - askedNanos > UNASKED_NANOS;
        reader = ends ? null : reader;
        return ends;
    }

    private synchronized void failed() {
        failedNanos = System.nanoTime();
        reader = null;
    }

    private void read() {
        try (KafkaConsumer<byte[], byte[]> consumer =
                CommittedRecords.consumer(StreamsSettings.clients(config), settings())) {
            new Reading(consumer).run();
        } catch (KafkaException e) {
            note(explained(e));
            failed();
        } finally {
            latest = List.of();
        }
    }

    private String explained(KafkaException failure) {
        String trying = "; trying again every " + TimeUnit.NANOSECONDS.toSeconds(RETRY_NANOS) + " s";
        if (failure instanceof AuthorizationException) {
            return "topics " + config.uniqueTopic() + " and " + config.duplicatesTopic()
                    + ": expected that the user of the service may READ them, as neardup.http.texts=true needs, found"
                    + " that it may not; allow it with kafka-acls.sh --add, or set neardup.http.texts=false" + trying;
        }
        return "topics " + config.uniqueTopic() + " and " + config.duplicatesTopic()
                + ": expected to read them for the page, found " + failure + trying;
    }

    /** The log has it once, however often it is found. */
    private void note(String found) {
        if (!found.equals(problem) && !found.isEmpty()) {
            LOG.warn("no texts for the page: {}", found);
        }
        problem = found;
    }

    /** Why there are no texts; empty where nothing is wrong. */
    public String problem() {
        return problem;
    }

    private static Map<String, Object> settings() {
        Map<String, Object> settings = new HashMap<>(CommittedRecords.FROM_THE_END);
        settings.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 1 << 20);
        settings.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 256 << 10);
        settings.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000);
        return settings;
    }

    @Override
    public void close() {
        closed.countDown();
    }

    /** From when somebody asks until nobody does. */
    private final class Reading {
        private final KafkaConsumer<byte[], byte[]> consumer;
        private final DocumentReader documents = config.documentReaders().get();
        private final TextWindow window = new TextWindow(config.shingling().letterCase());

        Reading(KafkaConsumer<byte[], byte[]> consumer) {
            this.consumer = consumer;
        }

        void run() {
            List<TopicPartition> partitions = Stream.of(config.uniqueTopic(), config.duplicatesTopic())
                    .flatMap(topic -> consumer.partitionsFor(topic).stream())
                    .map(found -> new TopicPartition(found.topic(), found.partition()))
                    .toList();
            consumer.assign(partitions);
            Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
            long back = Math.max(1, RECORDS_BACK / partitions.size());
            consumer.endOffsets(partitions)
                    .forEach((partition, end) -> consumer.seek(
                            partition, Math.max(Objects.requireNonNull(beginnings.get(partition)), end - back)));
            while (!endsUnasked()) {
                long beganNanos = System.nanoTime();
                readSecond(beganNanos, back);
                latest = window.pairs();
                note("");
                awaitNanos(TimeUnit.SECONDS.toNanos(1) - (System.nanoTime() - beganNanos));
            }
        }

        private void readSecond(long beganNanos, long back) {
            int records = 0;
            long bytes = 0;
            boolean isBehind = true;
            while (isBehind && System.nanoTime() - beganNanos < TimeUnit.SECONDS.toNanos(1)) {
                ConsumerRecords<byte[], byte[]> read = consumer.poll(POLL);
                for (ConsumerRecord<byte[], byte[]> record : read) {
                    take(record);
                    bytes += Math.max(0, record.serializedValueSize());
                }
                records += read.count();
                if (records >= SECOND_RECORDS || bytes >= SECOND_BYTES) {
                    skip(back);
                    return;
                }
                isBehind = !read.isEmpty();
            }
        }

        /** Skips what lies further back than this in a partition. */
        private void skip(long back) {
            for (TopicPartition partition : consumer.assignment()) {
                long lag = consumer.currentLag(partition).orElse(0);
                if (lag > back) {
                    consumer.seek(partition, consumer.position(partition) + lag - back);
                }
            }
        }

        private void take(ConsumerRecord<byte[], byte[]> record) {
            if (record.value() == null || !(documents.read(OutputRecords.copy(record)) instanceof Document document)) {
                return;
            }
            String text = document.text().decode();
            Optional<String> originalId = header(record, OutputRecords.DUPLICATE_OF);
            if (record.topic().equals(config.uniqueTopic())) {
                window.unique(document.id(), text);
            } else if (originalId.isPresent()) {
                String id = header(record, OutputRecords.ID).orElseGet(document::id);
                window.duplicate(id, originalId.get(), similarity(record), text);
            }
        }

        private static Optional<String> header(ConsumerRecord<byte[], byte[]> record, String name) {
            // The last one: what the service adds stands behind what came in.
            return Optional.ofNullable(record.headers().lastHeader(name))
                    .map(Header::value)
                    .map(value -> new String(value, UTF_8));
        }

        private static double similarity(ConsumerRecord<byte[], byte[]> record) {
            try {
                return header(record, OutputRecords.SIMILARITY)
                        .map(Double::parseDouble)
                        .orElse(Double.NaN);
            } catch (NumberFormatException e) {
                return Double.NaN; // Nobody but this service should write there.
            }
        }

        private void awaitNanos(long nanos) {
            try {
                closed.await(nanos, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptException(e);
            }
        }
    }

    /**
     * The texts of the unique documents that left last, and the duplicates that left last beside them. It keeps at most
     * {@value #ORIGINALS_MAX} texts of unique documents with {@value #CHARS_MAX} characters in all, {@value
     * #TEXT_CHARS_MAX} of each, and {@value #DUPLICATES_MAX} duplicates. For one thread.
     */
    static final class TextWindow {
        static final int PAIRS_MAX = 5;
        static final int ORIGINALS_MAX = 10_000;
        static final int TEXT_CHARS_MAX = 20_000;
        static final int DUPLICATES_MAX = 200;
        private static final int CHARS_MAX = 8_000_000;
        private static final int COMPARED_WORDS_MAX = 400;
        private static final int CONTEXT_WORDS = 12;

        private final LetterCase letterCase;
        private final Map<String, String> originals = new LinkedHashMap<>();
        /** The latest first. */
        private final Deque<Duplicate> duplicates = new ArrayDeque<>();

        private long chars;

        private record Duplicate(String id, String originalId, double similarity, String text) {}

        TextWindow(LetterCase letterCase) {
            this.letterCase = letterCase;
        }

        /** Takes a unique document. */
        void unique(String id, String text) {
            String kept = cut(text);
            String replaced = originals.remove(id);
            originals.put(id, kept);
            chars += kept.length() - (replaced == null ? 0 : replaced.length());
            Iterator<String> oldest = originals.values().iterator();
            while (originals.size() > ORIGINALS_MAX || chars > CHARS_MAX) {
                chars -= oldest.next().length();
                oldest.remove();
            }
        }

        /** Takes a duplicate, which may come before its original. */
        void duplicate(String id, String originalId, double similarity, String text) {
            duplicates.addFirst(new Duplicate(id, originalId, similarity, cut(text)));
            if (duplicates.size() > DUPLICATES_MAX) {
                duplicates.removeLast();
            }
        }

        /**
         * The latest duplicates whose originals are at hand; where these are less than {@value #PAIRS_MAX}, with the
         * latest of the others. The latest first.
         */
        List<Pair> pairs() {
            List<Duplicate> chosen = duplicates.stream()
                    .sorted(Comparator.comparing(duplicate -> !originals.containsKey(duplicate.originalId)))
                    .limit(PAIRS_MAX)
                    .toList();
            return duplicates.stream()
                    .filter(chosen::contains)
                    .limit(PAIRS_MAX)
                    .map(this::pair)
                    .toList();
        }

        private Pair pair(Duplicate duplicate) {
            String original = originals.get(duplicate.originalId);
            List<Passage> passages = original == null
                    ? List.of()
                    : WordDiff.passages(shown(original), shown(duplicate.text), COMPARED_WORDS_MAX, CONTEXT_WORDS);
            return new Pair(duplicate.id, duplicate.originalId, duplicate.similarity, passages);
        }

        /** As it is compared; without what hides or turns the rest. */
        private String shown(String text) {
            return Printable.of(NormalizedText.of(text, letterCase));
        }

        private static String cut(String text) {
            if (text.length() <= TEXT_CHARS_MAX) {
                return text;
            }
            int end = Character.isHighSurrogate(text.charAt(TEXT_CHARS_MAX - 1)) ? TEXT_CHARS_MAX - 1 : TEXT_CHARS_MAX;
            return text.substring(0, end);
        }
    }
}
