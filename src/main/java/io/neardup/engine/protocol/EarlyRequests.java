package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.Verify;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Requests about documents that have not arrived again since the start, by document and then by who asks. */
final class EarlyRequests {
    private static final long BYTES_MAX = 64L << 20;

    private final Map<DocumentRef, Awaited> byDocument = new HashMap<>();
    /** How many of these documents come from each topic; only topics of some. */
    private final Map<String, Integer> documentsByTopic = new HashMap<>();

    private long bytes;
    private long dropped;

    private record Awaited(String topic, Map<DocumentRef, Verify> requests) {}

    boolean isEmpty() {
        return byDocument.isEmpty();
    }

    List<DocumentRef> documents() {
        return List.copyOf(byDocument.keySet());
    }

    Set<String> topics() {
        return documentsByTopic.isEmpty() ? Set.of() : Set.copyOf(documentsByTopic.keySet());
    }

    /**
     * Keeps a request, up to {@value #BYTES_MAX} bytes of evidence; beyond, who asked will ask again.
     *
     * @param topic the one that the document comes from
     */
    void add(DocumentRef document, String topic, Verify request) {
        long more = request.evidence().bytes().length;
        if (bytes + more > BYTES_MAX) {
            dropped++;
            return;
        }
        Awaited awaited = byDocument.computeIfAbsent(document, d -> {
            documentsByTopic.merge(topic, 1, Integer::sum);
            return new Awaited(topic, new LinkedHashMap<>());
        });
        Verify known = awaited.requests.get(request.asker());
        if (known != null && request.epoch() < known.epoch()) {
            return; // Who asked has started anew since, and asked again.
        }
        awaited.requests.put(request.asker(), request);
        bytes += more - (known == null ? 0 : known.evidence().bytes().length);
    }

    long dropped() {
        return dropped;
    }

    /** The requests about a document, which are then no longer here. */
    Collection<Verify> take(DocumentRef document) {
        Awaited taken = byDocument.remove(document);
        if (taken == null) {
            return List.of();
        }
        documentsByTopic.computeIfPresent(taken.topic, (topic, documents) -> documents == 1 ? null : documents - 1);
        Collection<Verify> requests = taken.requests.values();
        requests.forEach(request -> bytes -= request.evidence().bytes().length);
        return requests;
    }
}
