package io.neardup.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.document.DocumentReader;
import io.neardup.document.InputRecord;
import io.neardup.document.Reason;
import io.neardup.document.Rejection;
import io.neardup.feed.FeedRecord;
import io.neardup.local.FieldNames;
import io.neardup.signing.DocumentReaders;
import java.util.List;

/** Whether the first records have a text where the settings say; else the service would take none of them. */
final class TextLook {
    private static final int RECORDS_MAX = 100;

    private final DocumentReader reader;
    private int looked;
    private boolean isFound;
    private List<String> fields = List.of();

    TextLook(NeardupConfig config) {
        this.reader = DocumentReaders.of(config).get();
    }

    /** Takes the next record. */
    void look(FeedRecord record) {
        if (isFound || looked >= RECORDS_MAX) {
            return;
        }
        looked++;
        InputRecord input = new InputRecord("", 0, 0, 0, record.key(), record.bytes(), List.of());
        isFound = !(reader.read(input) instanceof Rejection rejection && rejection.reason() == Reason.NO_TEXT);
        if (fields.isEmpty() && !isFound) {
            fields = FieldNames.of(record.bytes());
        }
    }

    /** JSON pointers to the fields of the first record, where none has a text; else none. */
    List<String> fields() {
        return isFound ? List.of() : fields;
    }
}
