package io.neardup.config;

import io.neardup.engine.similarity.Family;
import io.neardup.record.DocumentReader;
import io.neardup.record.HeaderNames;
import io.neardup.record.JsonDocumentReader;
import io.neardup.record.Pointers;
import io.neardup.record.TextDocumentReader;
import io.neardup.record.TextKind;
import io.neardup.record.TextRoom;
import java.util.function.Supplier;

/** Readers of what the family compares. */
public final class DocumentReaders {
    private DocumentReaders() {}

    /** Makes readers of the configured format, each for one thread. */
    public static Supplier<DocumentReader> of(NeardupConfig config) {
        return of(config, () -> TextRoom.NONE);
    }

    /** As {@link #of}; the text of a document is there only until the next one is read. */
    public static Supplier<DocumentReader> ofTextsInPassing(NeardupConfig config) {
        return of(config, TextRoom::ofOneReader);
    }

    private static Supplier<DocumentReader> of(NeardupConfig config, Supplier<TextRoom> rooms) {
        TextKind textKind = textKind(config);
        Pointers pointers = pointers(config);
        int bytesMax = config.documentBytesMax();
        return config.documentFormat() == DocumentFormat.JSON
                ? () -> new JsonDocumentReader(pointers, textKind, bytesMax, rooms.get())
                : () -> new TextDocumentReader(pointers.headers(), textKind, bytesMax);
    }

    /** Where the settings name headers. */
    public static HeaderNames headers(NeardupConfig config) {
        return pointers(config).headers();
    }

    private static Pointers pointers(NeardupConfig config) {
        return new Pointers(
                config.documentId(), config.documentText(), config.scope().orElse(null));
    }

    private static TextKind textKind(NeardupConfig config) {
        if (config.family().material() == Family.Material.NUMBERS) {
            return TextKind.NUMBERS;
        }
        return config.isHtml() ? TextKind.HTML : TextKind.STRING;
    }
}
