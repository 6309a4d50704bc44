package io.neardup.examples;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.config.Signing;
import io.neardup.config.Signing.DocumentSigner;
import io.neardup.engine.protocol.Decision;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.library.Deduplicator;
import io.neardup.record.Document;
import io.neardup.record.RawText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An application that compares texts, and finds duplicates among them, without a cluster. */
public final class MemoryApplication {
    private final NeardupConfig config;

    /** With settings such as {@code neardup.similarity.threshold=0.8}. */
    public MemoryApplication(List<String> settings) {
        config = NeardupConfig.of(new Settings().pairs(settings));
    }

    /** Prints each text among these arguments that repeats one before it, both by their numbers. */
    public static void main(String[] texts) throws UnsignableException {
        Map<String, String> numbered = new LinkedHashMap<>();
        for (String text : texts) {
            numbered.put(String.valueOf(numbered.size() + 1), text);
        }
        System.out.println(new MemoryApplication(List.of()).duplicates(numbered));
    }

    private static Document document(String id, String text) {
        return new Document(id, RawText.of(text), ""); // of no scope
    }

    /** What the threshold is compared with, 0 to 1. */
    public double similarity(String one, String other) throws UnsignableException {
        Signing signing = Signing.of(config, 42); // of equal seeds alone signatures can be compared
        DocumentSigner signer = signing.signer();
        SignedDocument first = signer.sign(document("first", one));
        SignedDocument second = signer.sign(document("second", other));
        return signing.judge().similarity(first.evidence(), second.evidence()).value();
    }

    /** The original of each text that repeats one before it, both by their ids. */
    public Map<String, String> duplicates(Map<String, String> texts) throws UnsignableException {
        Deduplicator deduplicator = new Deduplicator(config);
        Map<String, String> originals = new LinkedHashMap<>();
        for (Map.Entry<String, String> text : texts.entrySet()) {
            Decision decision = deduplicator.add(document(text.getKey(), text.getValue()), System.currentTimeMillis());
            if (decision instanceof Decision.Duplicate duplicate) {
                originals.put(text.getKey(), duplicate.originalId());
            }
        }
        return originals;
    }
}
