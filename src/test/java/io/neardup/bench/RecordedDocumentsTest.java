package io.neardup.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.ShingleLists;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import java.util.List;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class RecordedDocumentsTest {
    private static final int REAL = 200;

    private final Shingler shingler = Shingler.of("char:9", 42);
    private final NewsDocuments news = new NewsDocuments(7, 2_048, 0);
    private final List<String> texts = LongStream.range(0, REAL)
            .mapToObj(number ->
                    "Notice of the harbour office. " + news.document(number).text())
            .toList();
    private final RecordedDocuments documents = new RecordedDocuments("news.jsonl", texts, 0.3);

    @Test
    void shouldBeginWithTheTextsAsTheyAre() {
        assertThat(documents.many(0, REAL)).extracting(GeneratedDocument::text).isEqualTo(texts);
        assertThat(documents.many(0, REAL)).noneMatch(GeneratedDocument::isEdited);
    }

    @Test
    void shouldMixFurtherDocumentsThatKeepWhatAllHaveInItsPlace() {
        List<ShingleSet> real = texts.stream().map(this::shingles).toList();
        List<GeneratedDocument> further = documents.many(REAL, REAL + 100).stream()
                .filter(document -> !document.isEdited())
                .toList();
        assertThat(further).allMatch(document -> document.text().startsWith("Notice of the harbour office. "));
        assertThat(further).allSatisfy(document -> {
            ShingleSet set = shingles(document.text());
            assertThat(real).allMatch(other -> other.jaccard(set) < 0.5);
        });
    }

    @Test
    void shouldMakeTheShareAskedForNearDuplicatesOfEarlierOnes() {
        List<GeneratedDocument> further = documents.many(REAL, REAL + 2_000);
        List<GeneratedDocument> edited =
                further.stream().filter(GeneratedDocument::isEdited).toList();

        assertThat(edited.size() / 2_000.0).isBetween(0.27, 0.33);
        assertThat(edited).allMatch(document -> document.original() < document.number());
        List<GeneratedDocument> ofUnedited = edited.stream()
                .filter(document -> !documents.document(document.original()).isEdited())
                .toList();
        assertThat(ofUnedited).isNotEmpty().allSatisfy(document -> assertThat(shingles(document.text())
                        .jaccard(
                                shingles(documents.document(document.original()).text())))
                .isBetween(0.7, 0.9999));
    }

    @Test
    void shouldMakeADocumentTheSameEachTime() {
        GeneratedDocument late = documents.document(5_000_000);

        assertThat(new RecordedDocuments("news.jsonl", texts, 0.3).document(5_000_000))
                .isEqualTo(late);
    }

    private ShingleSet shingles(String text) {
        return ShingleSet.of(ShingleLists.of(shingler, NormalizedText.of(text)));
    }

    /** Published figures were measured with them. */
    @Test
    void shouldStayAsTheyAre() {
        NewsDocuments documents = new NewsDocuments(1, 2_048, 0.3, 0.5);
        CRC32C checksum = new CRC32C();
        LongStream.of(5_000_000_000L, 0, 1, 2, 3, 17, 1_000, 999_999_999)
                .forEach(number -> checksum.update(documents.document(number).json()));

        assertThat(checksum.getValue()).isEqualTo(1_139_001_435L);
    }
}
