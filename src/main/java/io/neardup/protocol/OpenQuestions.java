package io.neardup.protocol;

import io.neardup.protocol.Message.Verify;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Questions to a home that are still to be answered, in the order in which they came: a step answers as many as its
 * bound allows. A crash forgets them, and then they are asked again. What the home itself asks is in {@link Questions}.
 */
final class OpenQuestions {
    private static final long BYTES_MAX = 64L << 20;

    /** Of the heap, about. */
    private static final long CANDIDATE_BYTES = 64;

    private final Map<Ref, Open> byAsker = new LinkedHashMap<>();
    private long bytes;

    /** A question, and the candidates that it is not answered about, which can be others than it names. */
    private record Open(Verify question, Deque<Ref> candidates, long bytes) {
        Open(Verify question, Deque<Ref> candidates) {
            this(question, candidates, question.evidence().bytes().length + CANDIDATE_BYTES * candidates.size());
        }
    }

    /** A question about one candidate. */
    record One(Ref candidate, Verify question) {}

    boolean isEmpty() {
        return byAsker.isEmpty();
    }

    /**
     * Takes a question; one that is repeated counts once. Beyond {@value #BYTES_MAX} bytes it is dropped,
     * as if the message were lost: who asked will ask again.
     */
    void add(Verify question) {
        Open known = byAsker.get(question.asker());
        Open open =
                new Open(question, known == null ? new ArrayDeque<>(question.candidates()) : union(known, question));
        long more = open.bytes() - (known == null ? 0 : known.bytes());
        if (bytes == 0 || bytes + more <= BYTES_MAX) {
            byAsker.put(question.asker(), open);
            bytes += more;
        }
    }

    private static Deque<Ref> union(Open known, Verify question) {
        Set<Ref> candidates = new LinkedHashSet<>(known.candidates());
        candidates.addAll(question.candidates());
        return new ArrayDeque<>(candidates);
    }

    /** As {@link #add(Verify)}, about one of its candidates. */
    void add(Ref candidate, Verify question) {
        add(new Verify(question.asker(), question.askerArrivalMillis(), question.evidence(), List.of(candidate)));
    }

    /** Takes the next candidate of the first question; there must be one. */
    One next() {
        Iterator<Open> inOrder = byAsker.values().iterator();
        Open first = inOrder.next();
        One next = new One(first.candidates().remove(), first.question());
        if (first.candidates().isEmpty()) {
            inOrder.remove();
            bytes -= first.bytes();
        }
        return next;
    }
}
