package io.neardup.engine.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/** Requests about documents that have not arrived again since the start, by document. */
final class EarlyRequests {
    private static final long BYTES_MAX = 64L << 20;

    private final Map<DocumentRef, Awaited> byDocument = new HashMap<>();
    /** How many of these documents come from each topic; only topics of some. */
    private final Map<String, Integer> documentsByTopic = new HashMap<>();

    private long bytes;
    /** How many requests were not kept since the start. */
    long dropped;

    private record Awaited(String topic, List<VerificationSession> requests) {}

    /** In an order that follows from them alone. */
    List<DocumentRef> documents() {
        return List.copyOf(byDocument.keySet());
    }

    Set<String> topics() {
        return documentsByTopic.isEmpty() ? Set.of() : Set.copyOf(documentsByTopic.keySet());
    }

    /**
     * Keeps a request, up to {@value #BYTES_MAX} bytes; beyond, who asked will ask again.
     *
     * @param topic the one that the document comes from
     * @return false where it is not kept
     */
    boolean add(DocumentRef document, String topic, VerificationSession request) {
        if (bytes + request.bytes() > BYTES_MAX) {
            dropped++;
            return false;
        }
        Awaited awaited = byDocument.computeIfAbsent(document, d -> {
            documentsByTopic.merge(topic, 1, Integer::sum);
            return new Awaited(topic, new ArrayList<>());
        });
        awaited.requests.add(request);
        bytes += request.bytes();
        return true;
    }

    /** Takes out those that nobody waits for any more. */
    void removeIf(Predicate<VerificationSession> isGone) {
        for (DocumentRef document : documents()) {
            List<VerificationSession> requests = Objects.requireNonNull(byDocument.get(document)).requests;
            bytes -= requests.stream()
                    .filter(isGone)
                    .mapToLong(VerificationSession::bytes)
                    .sum();
            requests.removeIf(isGone);
            if (requests.isEmpty()) {
                take(document);
            }
        }
    }

    /** The requests about a document, which are then no longer here. */
    List<VerificationSession> take(DocumentRef document) {
        Awaited taken = byDocument.remove(document);
        if (taken == null) {
            return List.of();
        }
        documentsByTopic.computeIfPresent(taken.topic, (topic, documents) -> documents == 1 ? null : documents - 1);
        taken.requests.forEach(request -> bytes -= request.bytes());
        return taken.requests;
    }
}
