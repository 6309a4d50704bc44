package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.Reason;
import io.neardup.record.Rejection;
import io.neardup.tools.feed.FeedRecord;
import io.neardup.tools.feed.UnusableFileException;
import io.neardup.tools.local.FieldNames;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether records have a text where the settings say; else a service of these settings would take none of them. */
final class TextLook {
    private static final Set<Reason> WITHOUT_TEXT = EnumSet.of(
            Reason.NOT_UTF8,
            Reason.NOT_JSON,
            Reason.NOT_OBJECT,
            Reason.NO_TEXT,
            Reason.TEXT_NOT_STRING,
            Reason.BLANK_TEXT);

    private final DocumentReader reader;
    private int looked;
    private @Nullable String first;
    private List<String> fields = List.of();

    TextLook(NeardupConfig config) {
        this.reader = config.documentReaders().get();
    }

    /** Whether the record has one. */
    boolean hasText(FeedRecord record) {
        looked++;
        InputRecord input = new InputRecord("", 0, 0, 0, record.key(), record.bytes(), List.of());
        if (!(reader.read(input) instanceof Rejection rejection) || !WITHOUT_TEXT.contains(rejection.reason())) {
            return true;
        }
        if (first == null) {
            first = record.position() + " (" + rejection.reason().code() + ": " + rejection.detail() + ")";
            fields = FieldNames.of(record.bytes());
        }
        return false;
    }

    /** That none of those that were looked at has one. */
    UnusableFileException none() {
        List<String> lines = new ArrayList<>();
        lines.add("none of the first " + looked + " records has a text where the settings say, so that a service of"
                + " these settings takes none of them, and none is sent. The first one is " + first);
        if (!fields.isEmpty()) {
            lines.add("Fields of it that hold text:");
            lines.addAll(SkippedText.fields(fields));
            lines.add("to the service, and here to look once more; or the same --preset to both.");
        }
        lines.add("--anyway sends them as they are.");
        return new UnusableFileException(String.join(System.lineSeparator(), lines));
    }
}
