package io.neardup.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class NewsDocumentsTest {

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
