package io.neardup.record;

import io.neardup.record.Rejection.RejectedException;

/**
 * Reads values in Avro, and others beside them where the topic has both. A schema that is not here yet is fetched
 * meanwhile: who must not wait asks {@link AvroValues#lacksSchema} before. Safe for use by several threads.
 */
public final class AvroDocumentReader implements DocumentReader {
    private final AvroValues avro;
    private final DocumentReader others;
    private final Pointers pointers;
    private final PointerTree tree;
    private final TextKind textKind;
    private final int valueBytesMax;

    /**
     * A reader.
     *
     * @param others reads what is no Avro
     * @param textKind what the texts are
     * @param valueBytesMax the largest value in bytes, at least 1
     */
    public AvroDocumentReader(
            AvroValues avro, DocumentReader others, Pointers pointers, TextKind textKind, int valueBytesMax) {
        this.avro = avro;
        this.others = others;
        this.pointers = pointers;
        this.tree = PointerTree.of(pointers);
        this.textKind = textKind;
        this.valueBytesMax = valueBytesMax;
    }

    @Override
    public Result read(InputRecord record) {
        if (!avro.isAvro(record)) {
            return others.read(record);
        }
        Picked picked = new Picked(pointers, textKind);
        try {
            picked.takeHeaders(record);
            avro.scan(record, record.requireValue(valueBytesMax), tree, picked);
            return picked.document(record);
        } catch (RejectedException e) {
            return picked.rejection(e);
        }
    }
}
