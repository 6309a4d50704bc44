package io.neardup.protocol;

import io.neardup.protocol.Message.Verify;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Questions about documents that must be read again first, by document and then by who asks. */
final class EarlyQuestions {
    private static final long BYTES_MAX = 64L << 20;

    private final Map<Ref, Map<Ref, Verify>> byDocument = new HashMap<>();
    private long bytes;

    boolean isEmpty() {
        return byDocument.isEmpty();
    }

    List<Ref> documents() {
        return List.copyOf(byDocument.keySet());
    }

    /** Keeps a question, up to {@value #BYTES_MAX} bytes of evidence; beyond, who asked will ask again. */
    void add(Ref document, Verify question) {
        long more = question.evidence().bytes().length;
        if (bytes + more > BYTES_MAX) {
            return;
        }
        Verify repeated =
                byDocument.computeIfAbsent(document, d -> new LinkedHashMap<>()).put(question.asker(), question);
        bytes += more - (repeated == null ? 0 : repeated.evidence().bytes().length);
    }

    /** The questions about a document, which are then no longer here. */
    Collection<Verify> take(Ref document) {
        Map<Ref, Verify> taken = byDocument.remove(document);
        if (taken == null) {
            return List.of();
        }
        taken.values().forEach(question -> bytes -= question.evidence().bytes().length);
        return taken.values();
    }
}
