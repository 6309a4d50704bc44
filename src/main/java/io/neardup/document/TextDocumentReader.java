package io.neardup.document;

/**
 * Reads values that are the text itself, in strict UTF-8. The id is the record's key if it is UTF-8 and not empty, else
 * {@code topic-partition-offset}. Safe for use by several threads.
 */
public final class TextDocumentReader implements DocumentReader {
    private final int valueBytesMax;

    /** @param valueBytesMax the largest value in bytes, at least 1 */
    public TextDocumentReader(int valueBytesMax) {
        this.valueBytesMax = valueBytesMax;
    }

    @Override
    public ReadResult read(InputRecord record) {
        String id = DocumentIds.outside(record);
        if (DocumentIds.isTooLong(id)) {
            return DocumentIds.tooLong(id);
        }
        byte[] value = record.value();
        if (value == null) {
            return Values.missing(id);
        }
        Rejection unreadable = Values.check(value, valueBytesMax, id);
        return unreadable != null ? unreadable : Values.document(id, RawText.of(value), "", "the value");
    }
}
