package io.neardup.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NewsDocumentsTest {
    private static final long SEED = 1;

    private final Shingler shingler = Shingler.of("char:9", 42);

    @ParameterizedTest
    @ValueSource(ints = {600, 2_048, 10_000})
    void shouldHaveTheSizeAskedForAndEditTheShareAskedFor(int bytes) {
        NewsDocuments documents = new NewsDocuments(SEED, bytes, 0.3);
        List<GeneratedDocument> some =
                LongStream.range(0, 1_000).mapToObj(documents::document).toList();

        assertThat(some.stream().mapToInt(one -> one.json().length).average().orElseThrow())
                .isCloseTo(bytes, within(0.05 * bytes));
        assertThat(some.stream().filter(GeneratedDocument::isEdited).count()).isBetween(250L, 350L);
    }

    @ParameterizedTest
    @ValueSource(ints = {600, 2_048, 10_000})
    void shouldKeepEditedCopiesSimilar(int bytes) {
        NewsDocuments documents = new NewsDocuments(SEED, bytes, 0.3);
        for (long number = 0; number < 800; number++) {
            GeneratedDocument document = documents.document(number);
            if (document.isEdited()) {
                GeneratedDocument original = documents.document(document.original());
                assertThat(original.isEdited()).isFalse();
                assertThat(original.number()).isLessThan(number);
                assertThat(shingles(document).jaccard(shingles(original)))
                        .describedAs("%s of %s", document.id(), original.id())
                        .isGreaterThanOrEqualTo(0.7)
                        .isLessThan(1);
            }
        }
    }

    /** News that have nothing to do with each other are at 0.002 to 0.02, by char:9. */
    @Test
    void shouldKeepUnrelatedDocumentsApart() {
        List<Double> similarities = similarities(new NewsDocuments(SEED, 2_048, 0), 200);

        int count = similarities.size();
        assertThat(similarities.get(count / 20)).isGreaterThan(0.002);
        assertThat(similarities.get(count - count / 20)).isLessThan(0.02);
        assertThat(similarities.get(count - 1)).isLessThan(0.3);
    }

    /** Of 250 documents; by chance 156 of their pairs are of one of 200 templates, if all are of some. */
    @Test
    void shouldKeepUnrelatedDocumentsOfOneTemplateBetweenUnrelatedAndCopies() {
        List<Double> similarities = similarities(new NewsDocuments(SEED, 2_048, 0, 1), 250).stream()
                .filter(similarity -> similarity >= 0.1)
                .toList();

        assertThat(similarities).hasSizeBetween(110, 200).allMatch(s -> s >= 0.25 && s <= 0.65);
        long within = similarities.stream().filter(s -> s >= 0.3 && s <= 0.6).count();
        assertThat(within / (double) similarities.size()).isGreaterThan(0.9);
        assertThat(similarities(new NewsDocuments(SEED, 2_048, 0, 0.5), 250))
                .filteredOn(similarity -> similarity >= 0.1)
                .as("where half of them are of templates")
                .hasSizeBetween(20, 65);
    }

    /** Of all pairs, in rising order. */
    private List<Double> similarities(NewsDocuments documents, int count) {
        List<ShingleSet> sets = LongStream.range(0, count)
                .mapToObj(number -> shingles(documents.document(number)))
                .toList();
        List<Double> similarities = new ArrayList<>();
        for (int i = 0; i < sets.size(); i++) {
            for (int j = 0; j < i; j++) {
                similarities.add(sets.get(i).jaccard(sets.get(j)));
            }
        }
        similarities.sort(Double::compare);
        return similarities;
    }

    @Test
    void shouldDependOnSeedAndNumberAlone() {
        NewsDocuments documents = new NewsDocuments(SEED, 2_048, 0.3);
        GeneratedDocument late = documents.document(5_000_000_000L);
        documents.document(17);

        assertThat(new NewsDocuments(SEED, 2_048, 0.3).document(5_000_000_000L)).isEqualTo(late);
        assertThat(new NewsDocuments(SEED + 1, 2_048, 0.3).document(5_000_000_000L))
                .isNotEqualTo(late);
    }

    @Test
    void shouldMakeEveryTextDistinct() {
        NewsDocuments documents = new NewsDocuments(SEED, 600, 0.3);
        assertThat(LongStream.range(0, 5_000)
                        .mapToObj(number -> documents.document(number).text())
                        .distinct())
                .hasSize(5_000);
    }

    @Test
    void shouldWriteJsonThatHoldsIdAndText() throws Exception {
        NewsDocuments documents = new NewsDocuments(SEED, 2_048, 0.3);
        for (long number = 0; number < 100; number++) {
            GeneratedDocument document = documents.document(number);
            JsonNode json = new ObjectMapper().readTree(document.json());
            assertThat(json.get("id").asText()).isEqualTo(new String(document.key(), UTF_8));
            assertThat(json.get("text").asText()).isEqualTo(document.text());
            assertThat(GeneratedDocument.number(document.key())).isEqualTo(number);
        }
    }

    @Test
    void shouldRefuseWhatItCannotMake() {
        assertThatThrownBy(() -> new NewsDocuments(SEED, 599, 0.3)).hasMessageContaining("bytes: expected 600");
        assertThatThrownBy(() -> new NewsDocuments(SEED, 2_048, 1)).hasMessageContaining("duplicates: expected");
    }

    private ShingleSet shingles(GeneratedDocument document) {
        Shingles shingles = new Shingles();
        shingler.shingle(NormalizedText.of(document.text()), shingles);
        return ShingleSet.of(shingles);
    }
}
