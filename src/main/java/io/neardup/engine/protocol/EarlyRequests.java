package io.neardup.engine.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;

/** Requests about documents that have not arrived again since the start. */
final class EarlyRequests {
    private static final long BYTES_MAX = 64L << 20;

    /** By the topic that a document comes from, and the document; only topics and documents of some. */
    private final Map<String, Map<DocumentRef, List<VerificationSession>>> byTopic = new HashMap<>();
    /** How many there are of each answer: these share the evidence of who asks. */
    private final Map<OpenAnswer, Integer> byAnswer = new HashMap<>();

    private long bytes;
    /** How many requests were not kept since the start. */
    long dropped;

    /** In an order that follows from them alone. */
    List<DocumentRef> documents() {
        return byTopic.values().stream().flatMap(of -> of.keySet().stream()).toList();
    }

    Set<String> topics() {
        return Set.copyOf(byTopic.keySet());
    }

    /**
     * Keeps a request, up to {@value #BYTES_MAX} bytes; beyond, who asked will ask again.
     *
     * @param topic the one that the document comes from
     * @return false where it is not kept
     */
    boolean add(DocumentRef document, String topic, VerificationSession request) {
        long added = byAnswer.containsKey(request.answer) ? request.candidateBytes() : request.bytes();
        if (bytes + added > BYTES_MAX) {
            dropped++;
            return false;
        }
        byTopic.computeIfAbsent(topic, t -> new HashMap<>())
                .computeIfAbsent(document, d -> new ArrayList<>())
                .add(request);
        byAnswer.merge(request.answer, 1, Integer::sum);
        bytes += added;
        return true;
    }

    /** Takes out those that nobody waits for any more. */
    void removeIf(Predicate<VerificationSession> isGone) {
        byTopic.values().forEach(byDocument -> byDocument.values().removeIf(requests -> {
            requests.stream().filter(isGone).forEach(this::forget);
            requests.removeIf(isGone);
            return requests.isEmpty();
        }));
        byTopic.values().removeIf(Map::isEmpty);
    }

    /** The requests about a document, which are then no longer here. */
    List<VerificationSession> take(DocumentRef document) {
        List<VerificationSession> taken = new ArrayList<>();
        for (Map<DocumentRef, List<VerificationSession>> byDocument : byTopic.values()) {
            taken.addAll(Objects.requireNonNullElse(byDocument.remove(document), List.of()));
        }
        byTopic.values().removeIf(Map::isEmpty);
        taken.forEach(this::forget);
        return taken;
    }

    private void forget(VerificationSession request) {
        boolean isLast = byAnswer.merge(request.answer, -1, (n, one) -> n + one == 0 ? null : n + one) == null;
        bytes -= isLast ? request.bytes() : request.candidateBytes();
    }
}
