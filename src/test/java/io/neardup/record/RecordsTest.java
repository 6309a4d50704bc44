package io.neardup.record;

import static io.neardup.record.InputRecords.document;
import static io.neardup.record.InputRecords.utf8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RecordsTest {

    @Test
    void shouldCompareRecordsByContent() {
        assertThat(record("v", "h")).isEqualTo(record("v", "h")).hasSameHashCodeAs(record("v", "h"));
        assertThat(record("v", "h")).isNotEqualTo(record("w", "h")).isNotEqualTo(record("v", "i"));
    }

    @Test
    void shouldNeverShowContent() {
        assertThat(record("secret", "secret"))
                .hasToString("documents-3-17(key null, value 6 bytes)")
                .extracting(InputRecord::headers)
                .hasToString("[trace(6 bytes)]");
        assertThat(document("a-1", "secret")).hasToString("Document(a-1, 6 bytes)");
    }

    /** Programs go by them: a code that was sent once is never changed. */
    @Test
    void shouldKeepTheCodes() {
        assertThat(Reason.values())
                .extracting(Reason::code)
                .containsExactly(
                        "null-value",
                        "not-utf8",
                        "not-json",
                        "not-object",
                        "too-deep",
                        "repeated-key",
                        "trailing-data",
                        "lone-surrogate",
                        "no-text",
                        "text-not-string",
                        "blank-text",
                        "id-not-text",
                        "id-too-long",
                        "scope-not-text",
                        "too-large",
                        "unsignable",
                        "null-key",
                        "timestamp-out-of-range");
    }

    private static InputRecord record(String value, String header) {
        return new InputRecord(
                "documents", 3, 17, 0, null, utf8(value), List.of(new RecordHeader("trace", utf8(header))));
    }
}
