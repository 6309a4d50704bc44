package io.neardup.record;

import static io.neardup.record.InputRecords.document;
import static io.neardup.record.InputRecords.utf8;
import static io.neardup.record.InputRecords.withHeaders;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RecordsTest {

    @Test
    void shouldNeverShowContent() {
        assertThat(withHeaders("secret", new RecordHeader("trace", utf8("secret"))))
                .hasToString("documents-3-17(key 1 bytes, value 6 bytes)")
                .extracting(InputRecord::headers)
                .hasToString("[trace(6 bytes)]");
        assertThat(document("a-1", "secret")).hasToString("Document(a-1, 6 bytes)");
    }

    /** Programs go by them: a code that was sent once is never changed. */
    @Test
    void shouldKeepTheCodes() {
        assertThat(Stream.of(Reason.values()).map(Reason::code).collect(Collectors.joining(" ")))
                .isEqualTo("null-value not-utf8 not-json not-object too-deep repeated-key trailing-data lone-surrogate"
                        + " no-text text-not-string blank-text id-not-text id-too-long scope-not-text too-large"
                        + " unsignable null-key timestamp-out-of-range");
    }
}
