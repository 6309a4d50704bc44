package io.neardup.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.testing.NewsFeed.News;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** The promises of the service, judged from the topics alone and by brute force; record keys are document ids. */
public final class Promises {
    private static final int SHINGLE = 9;
    private static final double THRESHOLD = 0.7;

    private final Map<String, News> documents = new LinkedHashMap<>();
    private final Map<String, Integer> places = new HashMap<>();
    private final Outputs outputs;

    public Promises(List<News> fed, Outputs outputs) {
        fed.forEach(news -> {
            places.put(news.id(), places.size());
            documents.put(news.id(), news);
        });
        this.outputs = outputs;
    }

    public void check(int partitions) {
        everyDocumentIsOnOneOutputOnce();
        uniqueIsUnchanged();
        everyDuplicateNamesAnOriginalAtOrAboveTheThreshold();
        theOrderOfEachInputPartitionIsKept(partitions);
        assertThat(missedShare()).isLessThan(0.01);
    }

    private List<String> ids(String topic) {
        return outputs.of(topic).stream()
                .map(record -> new String(record.key(), UTF_8))
                .toList();
    }

    private void everyDocumentIsOnOneOutputOnce() {
        Set<String> missing = new HashSet<>(documents.keySet());
        List<String> tooMany = new ArrayList<>();
        for (String topic : Outputs.ALL) {
            ids(topic).stream().filter(id -> !missing.remove(id)).forEach(tooMany::add);
        }
        assertThat(missing).as("lost").isEmpty();
        assertThat(tooMany).as("twice, or never fed").isEmpty();
    }

    private void uniqueIsUnchanged() {
        for (ConsumerRecord<byte[], byte[]> record : outputs.of(Outputs.UNIQUE)) {
            News news = document(record.key());
            assertThat(record.value()).isEqualTo(news.json());
            assertThat(record.timestamp()).isEqualTo(news.timestamp());
            assertThat(record.headers().toArray()).containsExactlyElementsOf(news.headers());
        }
    }

    private void everyDuplicateNamesAnOriginalAtOrAboveTheThreshold() {
        Set<String> unique = new HashSet<>(ids(Outputs.UNIQUE));
        for (ConsumerRecord<byte[], byte[]> record : outputs.of(Outputs.DUPLICATE_OF)) {
            String original = Outputs.header(record, "neardup.duplicate-of");
            double reported = Double.parseDouble(Outputs.header(record, "neardup.similarity"));
            double exact = jaccard(
                    shingles(document(record.key()).text()),
                    shingles(document(original.getBytes(UTF_8)).text()));
            assertThat(unique.contains(original)).as(original).isTrue();
            assertThat(exact).isGreaterThanOrEqualTo(THRESHOLD);
            assertThat(reported).isEqualTo(exact);
        }
    }

    /** Documents were fed round robin over the partitions. */
    private void theOrderOfEachInputPartitionIsKept(int partitions) {
        for (String topic : Outputs.ALL) {
            Map<Integer, List<Integer>> seen = ids(topic).stream()
                    .map(id -> Objects.requireNonNull(places.get(id)))
                    .collect(Collectors.groupingBy(place -> place % partitions));
            seen.values().forEach(order -> assertThat(order).isSorted());
        }
    }

    private News document(byte[] id) {
        return Objects.requireNonNull(documents.get(new String(id, UTF_8)));
    }

    /** How many of all duplicates were missed: unique documents similar to another unique one. */
    private double missedShare() {
        List<String> texts = ids(Outputs.UNIQUE).stream()
                .map(id -> document(id.getBytes(UTF_8)).text())
                .toList();
        int missed = new SimilarTexts(texts, SHINGLE)
                .pairs(THRESHOLD).stream()
                        .map(SimilarTexts.Pair::later)
                        .collect(Collectors.toSet())
                        .size();
        int found = outputs.of(Outputs.DUPLICATE_OF).size();
        assertThat(found).isPositive();
        return missed / (double) (missed + found);
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
