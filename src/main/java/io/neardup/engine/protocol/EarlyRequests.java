package io.neardup.engine.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Requests about documents that have not arrived again since the start, by document. */
final class EarlyRequests {
    private static final long BYTES_MAX = 64L << 20;

    private final Map<DocumentRef, Awaited> byDocument = new HashMap<>();
    private long bytes;
    /** How many requests were not kept since the start. */
    long dropped;

    private record Awaited(DocumentRef document, String topic, List<VerificationSession> requests) {}

    Set<DocumentRef> documents() {
        return Set.copyOf(byDocument.keySet());
    }

    Set<String> topics() {
        return byDocument.values().stream().map(Awaited::topic).collect(Collectors.toSet());
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
        byDocument
                .computeIfAbsent(document, d -> new Awaited(document, topic, new ArrayList<>()))
                .requests
                .add(request);
        bytes += request.bytes();
        return true;
    }

    /** Takes out those that nobody waits for any more. */
    void removeIf(Predicate<VerificationSession> isGone) {
        for (Awaited awaited : List.copyOf(byDocument.values())) {
            take(awaited.document).stream()
                    .filter(isGone.negate())
                    .forEach(request -> add(awaited.document, awaited.topic, request));
        }
    }

    /** The requests about a document, which are then no longer here. */
    List<VerificationSession> take(DocumentRef document) {
        Awaited taken = byDocument.remove(document);
        if (taken == null) {
            return List.of();
        }
        taken.requests.forEach(request -> bytes -= request.bytes());
        return taken.requests;
    }
}
