package io.neardup.record;

/**
 * Reads values that are the text itself, or its HTML, in strict UTF-8. The id is that of the header, where one is named
 * and has one; else the record's key if it is UTF-8 and not empty, else {@code topic-partition-offset}. Safe for use by
 * several threads.
 */
public final class TextDocumentReader implements DocumentReader {
    private final HeaderNames headers;
    private final TextKind textKind;
    private final int valueBytesMax;

    /**
     * @param textKind a string or HTML
     * @param valueBytesMax the largest value in bytes, at least 1
     */
    public TextDocumentReader(HeaderNames headers, TextKind textKind, int valueBytesMax) {
        this.headers = headers;
        this.textKind = textKind;
        this.valueBytesMax = valueBytesMax;
    }

    @Override
    public ReadResult read(InputRecord record) {
        String id = null;
        try {
            id = DocumentIds.resolve(headers.idOf(record), record);
            String scope = headers.scopeOf(record);
            return read(record, id, scope == null ? "" : scope);
        } catch (RejectedException e) {
            return e.rejection(DocumentIds.carried(id));
        }
    }

    private ReadResult read(InputRecord record, String id, String scope) throws RejectedException {
        if (DocumentIds.isTooLong(id)) {
            return DocumentIds.tooLong(id);
        }
        byte[] value = record.value();
        if (value == null) {
            return Values.missing(id);
        }
        Rejection unreadable = Values.check(value, valueBytesMax, id);
        return unreadable != null
                ? unreadable
                : Values.document(id, textKind.text(RawText.of(value)), scope, textKind.place("the value"));
    }
}
