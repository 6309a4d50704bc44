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
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NewsDocumentsTest {
    private static final long SEED = 1;

    private final Shingler shingler = Shingler.of("char:9", 42);

    /** Published figures were measured with them. */
    @Test
    void shouldStayAsTheyAre() {
        NewsDocuments documents = new NewsDocuments(SEED, 2_048, 0.3, 0.5);
        CRC32C checksum = new CRC32C();
        LongStream.of(5_000_000_000L, 0, 1, 2, 3, 17, 1_000, 999_999_999)
                .forEach(number -> checksum.update(documents.document(number).json()));

        assertThat(checksum.getValue()).isEqualTo(1_139_001_435L);
    }

    @ParameterizedTest
    @ValueSource(ints = {600, 2_048, 10_000})
    void shouldHaveTheSizeAndTheShareOfSimilarCopiesAskedFor(int bytes) {
        NewsDocuments documents = new NewsDocuments(SEED, bytes, 0.3);
        List<GeneratedDocument> some =
                LongStream.range(0, 1_000).mapToObj(documents::document).toList();
        List<GeneratedDocument> copies =
                some.stream().filter(GeneratedDocument::isEdited).toList();

        assertThat(some.stream().mapToInt(one -> one.json().length).average().orElseThrow())
                .isCloseTo(bytes, within(0.05 * bytes));
        assertThat(copies.size() / 1_000.0).isCloseTo(0.3, within(0.05));
        assertThat(copies).allSatisfy(copy -> {
            GeneratedDocument original = documents.document(copy.original());
            assertThat(original.isEdited()).isFalse();
            assertThat(original.number()).isLessThan(copy.number());
            assertThat(shingles(copy).jaccard(shingles(original))).isBetween(0.7, Math.nextDown(1.0));
        });
    }

    /** News that have nothing to do with each other are at 0.002 to 0.02, by char:9. */
    @Test
    void shouldKeepUnrelatedDocumentsApart() {
        List<Double> similarities = similarities(200, 0);

        int count = similarities.size();
        assertThat(similarities.get(count / 20)).isGreaterThan(0.002);
        assertThat(similarities.get(count - count / 20)).isLessThan(0.02);
        assertThat(similarities.get(count - 1)).isLessThan(0.3);
    }

    /** By chance 156 pairs of 250 documents are of one of 200 templates, if all are of some. */
    @Test
    void shouldKeepUnrelatedDocumentsOfOneTemplateBetweenUnrelatedAndCopies() {
        List<Double> similarities = similarities(250, 1);
        similarities.removeIf(similarity -> similarity < 0.1);

        assertThat(similarities).hasSizeBetween(110, 200);
        assertThat(similarities).allSatisfy(similarity -> assertThat(similarity).isBetween(0.25, 0.65));
        long within = similarities.stream().filter(s -> s >= 0.3 && s <= 0.6).count();
        assertThat(within / (double) similarities.size()).isGreaterThan(0.9);
    }

    /** Of all pairs, sorted. */
    private List<Double> similarities(int count, double templates) {
        NewsDocuments documents = new NewsDocuments(SEED, 2_048, 0, templates);
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

    private ShingleSet shingles(GeneratedDocument document) {
        Shingles shingles = new Shingles();
        shingler.shingle(NormalizedText.of(document.text()), shingles);
        return ShingleSet.of(shingles);
    }

    @Test
    void shouldWriteJsonThatHoldsIdAndText() throws Exception {
        GeneratedDocument document = new NewsDocuments(SEED, 2_048, 0.3).document(17);

        JsonNode json = new ObjectMapper().readTree(document.json());

        assertThat(json.get("id").asText()).isEqualTo(new String(document.key(), UTF_8));
        assertThat(json.get("text").asText()).isEqualTo(document.text());
        assertThat(GeneratedDocument.number(document.key())).isEqualTo(17);
    }

    @Test
    void shouldRefuseWhatItCannotMake() {
        assertThatThrownBy(() -> new NewsDocuments(SEED, 599, 0.3)).hasMessageContaining("bytes: expected 600");
        assertThatThrownBy(() -> new NewsDocuments(SEED, 2_048, 1)).hasMessageContaining("duplicates: expected");
    }
}
