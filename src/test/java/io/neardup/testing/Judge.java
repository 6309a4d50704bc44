package io.neardup.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.testing.NewsFeed.News;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The promises of the service, judged by brute force as the records of the outputs are read, those of a partition in
 * their order. It keeps none of them, so that there may be millions. Record keys are document ids.
 */
public final class Judge {
    private static final int SHINGLE = 9;
    private static final double THRESHOLD = 0.7;

    private final List<News> fed;
    private final int partitions;
    private final Map<String, Integer> places = new HashMap<>();
    private final Map<String, int[]> lastPlaces = new HashMap<>();

    // By place in what was fed.
    private final BitSet seen = new BitSet();
    private final BitSet unique = new BitSet();
    private final BitSet named = new BitSet();

    /** Places of the unique ones, in the order in which they were read. */
    private final int[] uniqueInOrder;

    private final List<String> tooMany = new ArrayList<>();
    private int uniques;
    private int duplicates;

    /** @param fed round robin over so many partitions */
    public Judge(List<News> fed, int partitions) {
        this.fed = fed;
        this.partitions = partitions;
        this.uniqueInOrder = new int[fed.size()];
        fed.forEach(news -> places.put(news.id(), places.size()));
    }

    /** Judges a record of an output by itself and by those before it. */
    public void take(ConsumerRecord<byte[], byte[]> record) {
        Integer place = places.get(new String(record.key(), UTF_8));
        if (place == null || seen.get(place)) {
            tooMany.add(new String(record.key(), UTF_8));
            return;
        }
        seen.set(place);
        theOrderOfEachInputPartitionIsKept(record.topic(), place);
        if (record.topic().equals(Outputs.UNIQUE)) {
            uniqueIsUnchanged(record, fed.get(place));
            uniqueInOrder[uniques++] = place;
            unique.set(place);
        } else if (record.topic().equals(Outputs.DUPLICATE_OF)) {
            everyDuplicateNamesADocumentAtOrAboveTheThreshold(record, fed.get(place));
            duplicates++;
        }
    }

    /** Judges what only all records together tell. */
    public void conclude() {
        everyDocumentIsOnOneOutputOnce();
        everyOriginalIsUnique();
        assertThat(missedShare()).isLessThan(0.01);
    }

    private void everyDocumentIsOnOneOutputOnce() {
        List<String> missing = IntStream.range(0, fed.size())
                .filter(place -> !seen.get(place))
                .mapToObj(place -> fed.get(place).id())
                .toList();
        assertThat(missing).as("lost").isEmpty();
        assertThat(tooMany).as("twice, or never fed").isEmpty();
    }

    private static void uniqueIsUnchanged(ConsumerRecord<byte[], byte[]> record, News news) {
        assertThat(record.value()).isEqualTo(news.json());
        assertThat(record.timestamp()).isEqualTo(news.timestamp());
        assertThat(record.headers().toArray()).containsExactlyElementsOf(news.headers());
    }

    private void everyDuplicateNamesADocumentAtOrAboveTheThreshold(ConsumerRecord<byte[], byte[]> record, News news) {
        int original = Objects.requireNonNull(places.get(Outputs.header(record, "neardup.duplicate-of")));
        named.set(original);
        double reported = Double.parseDouble(Outputs.header(record, "neardup.similarity"));
        double exact = jaccard(shingles(news.text()), shingles(fed.get(original).text()));
        assertThat(exact).isGreaterThanOrEqualTo(THRESHOLD);
        assertThat(reported).isEqualTo(exact);
    }

    private void everyOriginalIsUnique() {
        assertThat(named.stream().filter(place -> !unique.get(place)).mapToObj(place -> fed.get(place)
                        .id()))
                .as("named, but not unique")
                .isEmpty();
    }

    private void theOrderOfEachInputPartitionIsKept(String topic, int place) {
        int[] last = lastPlaces.computeIfAbsent(topic, t -> new int[partitions]);
        assertThat(place).as("order on %s", topic).isGreaterThanOrEqualTo(last[place % partitions]);
        last[place % partitions] = place;
    }

    /** How many of all duplicates were missed: unique documents similar to another unique one. */
    private double missedShare() {
        List<String> texts = IntStream.of(uniqueInOrder)
                .limit(uniques)
                .mapToObj(place -> fed.get(place).text())
                .toList();
        int missed = new SimilarTexts(texts, SHINGLE)
                .pairs(THRESHOLD).stream()
                        .map(SimilarTexts.Pair::later)
                        .collect(Collectors.toSet())
                        .size();
        assertThat(duplicates).isPositive();
        return missed / (double) (missed + duplicates);
    }

    private static Set<String> shingles(String text) {
        return IntStream.rangeClosed(0, Math.max(0, text.length() - SHINGLE))
                .mapToObj(i -> text.substring(i, Math.min(text.length(), i + SHINGLE)))
                .collect(Collectors.toSet());
    }

    private static double jaccard(Set<String> a, Set<String> b) {
        Set<String> common = new HashSet<>(a);
        common.retainAll(b);
        return common.size() / (double) (a.size() + b.size() - common.size());
    }
}
