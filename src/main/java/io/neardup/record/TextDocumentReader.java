package io.neardup.record;

import io.neardup.record.Rejection.RejectedException;

/**
 * Reads values that are the text itself, or its HTML, in strict UTF-8. The id is that of the header, where one is named
 * and has one; else the record's key if it is UTF-8 and not empty, else {@code topic-partition-offset}. Safe for use by
 * several threads.
 *
 * @param pointers of which those count that are in headers
 * @param textKind a string or HTML
 * @param valueBytesMax the largest value in bytes, at least 1
 */
public record TextDocumentReader(Pointers pointers, TextKind textKind, int valueBytesMax) implements DocumentReader {
    @Override
    public Result read(InputRecord record) {
        String id = null;
        try {
            id = Document.idOf(pointers.idInHeader(record), record);
            String scope = pointers.scopeInHeader(record);
            Document.requireIdFits(id);
            RawText text = textKind.text(RawText.of(record.requireText(valueBytesMax)));
            return Document.of(id, text, scope, () -> textKind.place("the value"));
        } catch (RejectedException e) {
            return e.rejection(Document.carriedId(id));
        }
    }
}
