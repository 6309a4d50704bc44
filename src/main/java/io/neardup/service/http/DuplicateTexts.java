package io.neardup.service.http;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.neardup.config.NeardupConfig;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.NormalizedText;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.Printable;
import io.neardup.record.SourcePointer;
import io.neardup.record.Verdict.Repeated;
import io.neardup.service.http.WordDiff.Passage;
import io.neardup.streams.topology.OutputRecords;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads the texts of what left last back from the outputs, for people who look on: from some {@value #RECORDS_BACK}
 * records back on, at most {@value #SECOND_RECORDS} records or {@value #SECOND_BYTES} bytes a second. Where more comes
 * it skips what is between. Thread-safe.
 */
public final class DuplicateTexts extends OnDemandReader {
    private static final int RECORDS_BACK = 4_000;
    private static final int SECOND_RECORDS = 2_000;
    private static final int SECOND_BYTES = 8 << 20;

    private final NeardupConfig config;
    private final DocumentReader documents;
    private final Optional<SourcePointer> source;
    private final TextWindow window;
    private volatile List<Pair> latest = List.of();

    /**
     * A duplicate that has left.
     *
     * @param originalPlace of the record of its original in the input, which names the story; empty where that is not
     *     known
     * @param source empty where it names none
     * @param millis the time of its record
     * @param similarity as the service found it
     */
    public record Copy(
            String id,
            @JsonProperty("original") String originalId,
            @JsonProperty("story") String originalPlace,
            String source,
            long millis,
            double similarity) {}

    /**
     * A duplicate beside its original.
     *
     * @param passages the original, first, and the duplicate; none where the original's text is not at hand
     */
    public record Pair(@JsonUnwrapped Copy copy, List<Passage> passages) {
        public Pair {
            passages = List.copyOf(passages);
        }
    }

    private DuplicateTexts(NeardupConfig config) {
        super(
                config,
                new Subject(
                        "texts",
                        "topics " + config.uniqueTopic() + " and " + config.duplicatesTopic(),
                        SECOND_RECORDS,
                        SECOND_BYTES));
        this.config = config;
        this.documents = config.documentReaders().get();
        this.source = config.source();
        this.window = new TextWindow(config.shingling().letterCase());
    }

    /** A reader of the texts, to be closed by who asks for it; empty where they are not to be shown. */
    public static Optional<DuplicateTexts> of(NeardupConfig config) {
        boolean shows = config.httpTexts() && config.writesDuplicateTexts();
        return shows ? Optional.of(new DuplicateTexts(config)) : Optional.empty();
    }

    /** The latest duplicates, the latest first. Does not wait: who asks first gets none. */
    public List<Pair> latest() {
        ask();
        return latest;
    }

    /** Copies of a story that left last, the latest first. Does not wait. */
    List<Pair> copies(String story) {
        ask();
        return window.copies(story);
    }

    /** How many records before its end a partition is read from; what lies before is skipped. */
    private static long back(int partitions) {
        return Math.max(1, RECORDS_BACK / partitions);
    }

    @Override
    void begin(KafkaConsumer<byte[], byte[]> consumer) {
        List<TopicPartition> partitions = Stream.of(config.uniqueTopic(), config.duplicatesTopic())
                .flatMap(topic -> partitions(consumer, topic).stream())
                .toList();
        consumer.assign(partitions);
        Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
        long back = back(partitions.size());
        consumer.endOffsets(partitions)
                .forEach((partition, end) -> consumer.seek(
                        partition, Math.max(Objects.requireNonNull(beginnings.get(partition)), end - back)));
    }

    @Override
    void forget() {
        latest = List.of();
        window.clear();
    }

    @Override
    void endSecond(KafkaConsumer<byte[], byte[]> consumer) {
        latest = window.pairs();
        long back = back(consumer.assignment().size());
        for (TopicPartition partition : consumer.assignment()) {
            long lag = consumer.currentLag(partition).orElse(0);
            if (lag > back) {
                consumer.seek(partition, consumer.position(partition) + lag - back);
            }
        }
    }

    @Override
    void take(ConsumerRecord<byte[], byte[]> record) {
        InputRecord input = OutputRecords.copy(record);
        if (record.value() == null || !(documents.read(input) instanceof Document document)) {
            return;
        }
        String text = document.text().decode();
        Repeated repeated = OutputRecords.repeated(input);
        if (record.topic().equals(config.uniqueTopic())) {
            window.unique(document.id(), text);
        } else if (!repeated.original().isEmpty()) {
            Copy copy = new Copy(
                    input.header(OutputRecords.ID).orElseGet(document::id),
                    repeated.original(),
                    Objects.requireNonNullElse(repeated.place(), ""),
                    source.flatMap(pointer -> pointer.in(input)).orElse(""),
                    record.timestamp(),
                    repeated.similarity().value());
            window.duplicate(copy, text, repeated.seed() == null);
        }
    }

    /**
     * The texts of the unique documents that left last, and the duplicates that left last beside them. It keeps at most
     * {@value #ORIGINALS_MAX} texts of unique documents with {@value #CHARS_MAX} characters in all, {@value
     * #TEXT_CHARS_MAX} of each, and {@value #DUPLICATES_MAX} duplicates. Of an id that came with two texts it has
     * neither, as a duplicate may be that of either. Thread-safe.
     */
    static final class TextWindow {
        static final int PAIRS_MAX = 5;
        private static final int COPIES_MAX = 10;
        static final int ORIGINALS_MAX = 10_000;
        static final int TEXT_CHARS_MAX = 20_000;
        static final int DUPLICATES_MAX = 200;
        private static final int CHARS_MAX = 8_000_000;
        private static final int COMPARED_WORDS_MAX = 400;
        private static final int CONTEXT_WORDS = 12;

        /** In place of a text, none of which is empty. */
        private static final String NO_TEXT = "";

        private final LetterCase letterCase;
        private final Map<String, String> originals = new LinkedHashMap<>();
        /** The latest first. */
        private final Deque<Duplicate> duplicates = new ArrayDeque<>();

        private long chars;

        /** @param hasOriginal whether its original is one that has left, and not of a seed */
        private record Duplicate(Copy copy, String text, boolean hasOriginal) {}

        TextWindow(LetterCase letterCase) {
            this.letterCase = letterCase;
        }

        synchronized void unique(String id, String text) {
            String kept = Printable.cut(text, TEXT_CHARS_MAX);
            String replaced = originals.remove(id);
            if (replaced != null && !replaced.equals(kept)) {
                kept = NO_TEXT;
            }
            originals.put(id, kept);
            chars += kept.length() - (replaced == null ? 0 : replaced.length());
            Iterator<String> oldest = originals.values().iterator();
            while (originals.size() > ORIGINALS_MAX || chars > CHARS_MAX) {
                chars -= oldest.next().length();
                oldest.remove();
            }
        }

        /** Takes a duplicate, which may come before its original. */
        synchronized void duplicate(Copy copy, String text, boolean hasOriginal) {
            duplicates.addFirst(new Duplicate(copy, Printable.cut(text, TEXT_CHARS_MAX), hasOriginal));
            if (duplicates.size() > DUPLICATES_MAX) {
                duplicates.removeLast();
            }
        }

        /** The latest duplicates whose originals are at hand, the latest first. */
        synchronized List<Pair> pairs() {
            return duplicates.stream()
                    .filter(duplicate -> !original(duplicate).isEmpty())
                    .limit(PAIRS_MAX)
                    .map(this::pair)
                    .toList();
        }

        /** The latest copies of a story, at most {@value #COPIES_MAX}, the latest first. */
        synchronized List<Pair> copies(String story) {
            return duplicates.stream()
                    .filter(duplicate -> duplicate.copy.originalPlace.equals(story))
                    .limit(COPIES_MAX)
                    .map(this::pair)
                    .toList();
        }

        synchronized void clear() {
            originals.clear();
            duplicates.clear();
            chars = 0;
        }

        private Pair pair(Duplicate duplicate) {
            String original = original(duplicate);
            List<Passage> passages = original.isEmpty()
                    ? List.of()
                    : WordDiff.passages(shown(original), shown(duplicate.text), COMPARED_WORDS_MAX, CONTEXT_WORDS);
            return new Pair(duplicate.copy, passages);
        }

        /** Its text; empty where it is not at hand. */
        private String original(Duplicate duplicate) {
            return duplicate.hasOriginal ? originals.getOrDefault(duplicate.copy.originalId, NO_TEXT) : NO_TEXT;
        }

        /** As it is compared; without what hides or turns the rest. */
        private String shown(String text) {
            return Printable.of(NormalizedText.of(text, letterCase));
        }
    }
}
