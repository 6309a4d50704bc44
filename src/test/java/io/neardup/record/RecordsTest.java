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

    @Test
    void shouldBoundAndCleanTheDetailOfARejection() {
        Rejection rejection = new Rejection(Reason.NO_TEXT, "a\n\u0007\u2028\u0085" + "b".repeat(400), null);

        assertThat(rejection.detail())
                .hasSize(Rejection.DETAIL_LENGTH_MAX)
                .startsWith("a<U+000A><U+0007><U+2028><U+0085>b")
                .endsWith("b...");
    }

    private static InputRecord record(String value, String header) {
        return new InputRecord(
                "documents", 3, 17, 0, null, utf8(value), List.of(new RecordHeader("trace", utf8(header))));
    }
}
