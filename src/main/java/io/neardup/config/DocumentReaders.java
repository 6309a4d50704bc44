package io.neardup.config;

import io.neardup.engine.similarity.Family;
import io.neardup.record.DocumentReader;
import io.neardup.record.JsonDocumentReader;
import io.neardup.record.Pointers;
import io.neardup.record.TextDocumentReader;
import io.neardup.record.TextKind;
import java.util.function.Supplier;

/** Readers of what the family compares. */
public final class DocumentReaders {
    private DocumentReaders() {}

    /** Makes readers of the configured format, each for one thread. */
    public static Supplier<DocumentReader> of(NeardupConfig config) {
        TextKind textKind = textKind(config);
        Pointers pointers = pointers(config);
        int bytesMax = config.documentBytesMax();
        return config.documentFormat() == NeardupConfig.DocumentFormat.JSON
                ? () -> new JsonDocumentReader(pointers, textKind, bytesMax)
                : () -> new TextDocumentReader(pointers, textKind, bytesMax);
    }

    /** Where the settings say that id, texts and scope are. */
    public static Pointers pointers(NeardupConfig config) {
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
