package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.record.Document;
import io.neardup.record.RawText;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DocumentShinglesTest {

    @ParameterizedTest
    @ValueSource(strings = {"char:1", "char:9", "word:1", "word:3", "word:1..8", "stopword:2"})
    void shouldNotHaveMoreShinglesThanItSays(String shingle) {
        for (String text :
                List.of("a b c d e f g h i j k", "x", "?", "a\u65e5b\u672cc", "\u65e5\u672c\u8a9e", "the a the a")) {
            DocumentShingles shingles = new DocumentShingles(
                    List.of(new Document("id", RawText.of(text), "")),
                    NeardupConfig.of(new Settings().pairs(List.of("neardup.shingle=" + shingle)))
                            .shingling(),
                    0);

            assertThat((long) shingles.shingles(0).size()).describedAs(text).isBetween(1L, shingles.shinglesMax());
        }
    }
}
