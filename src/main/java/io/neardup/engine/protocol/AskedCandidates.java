package io.neardup.engine.protocol;

import io.neardup.engine.protocol.Message.Verified;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The candidates that a pending document asked about, and the best answer. Some 17 bytes each, in the order in which
 * they were asked; those that are no match leave when they are more than the others.
 */
final class AskedCandidates {
    private static final int ENTRIES_MIN = 8;
    private static final int NOWHERE = -1;

    /** What is known of one. */
    private static final byte OPEN = 0;

    private static final byte JUDGED = 1;
    private static final byte NO_MATCH = 2;
    private static final byte TRUNCATED = 3;
    private static final byte DEFERRED = 4;
    private static final byte REDIRECTED = 5;

    // Most documents have no candidates: their arrays are never made.
    private long[] refs = new long[0];
    private byte[] states = new byte[0];
    /** Open addressing: the place of a ref in the arrays above, plus 1; 0 is free. */
    private int[] slots = new int[0];

    private int entries;
    private int asked;
    private int missing;
    private int compared;
    /** How many of the entries are no match or redirected to others, and are still here. */
    private int dismissed;

    private @Nullable Verified best;
    /** The best of those that came later to the same coordinator. */
    private @Nullable Verified bestLater;

    void reserve(int more) {
        if (entries + more > refs.length) {
            resize(entries + more);
        }
    }

    /** Whether it was asked about, and not truncated or deferred. */
    boolean has(long candidate) {
        int at = find(candidate);
        return at != NOWHERE && states[at] != TRUNCATED && states[at] != DEFERRED;
    }

    /** How many were asked about, without those truncated. */
    int size() {
        return asked;
    }

    /** How many of them were compared by their evidence. Those that share a bucket have some similarity. */
    int compared() {
        return compared;
    }

    long bytes() {
        return 9L * refs.length + 4L * slots.length;
    }

    /** Asks about one; false if it was asked about already, or truncated. */
    boolean add(long candidate) {
        if (!append(candidate, OPEN)) {
            return false;
        }
        asked++;
        missing++;
        return true;
    }

    /** Truncates one; false if it was asked about already, or truncated. */
    boolean addTruncated(long candidate) {
        return append(candidate, TRUNCATED);
    }

    /** Whether an answer about it is missing. */
    boolean isOpen(long candidate) {
        return isOpen(find(candidate));
    }

    /** Whether the answer redirected to another: it is a duplicate, or has yielded. */
    boolean isRedirected(long candidate) {
        int at = find(candidate);
        return at != NOWHERE && states[at] == REDIRECTED;
    }

    /** Asks about one again, whatever was answered, or for the first time. */
    void addAgain(long candidate) {
        int at = find(candidate);
        if (at == NOWHERE) {
            add(candidate);
        } else if (states[at] != OPEN) {
            asked += states[at] == TRUNCATED || states[at] == DEFERRED ? 1 : 0;
            dismissed -= states[at] == NO_MATCH || states[at] == REDIRECTED ? 1 : 0;
            states[at] = OPEN;
            missing++;
        }
    }

    /** Asks about all again that were deferred. */
    DocumentRefs askDeferred() {
        DocumentRefs.Builder again = new DocumentRefs.Builder();
        for (int i = 0; i < entries; i++) {
            if (states[i] == DEFERRED) {
                addAgain(refs[i]);
                again.add(refs[i]);
            }
        }
        return again.take();
    }

    /** Takes an answer; one that was not asked for or came before changes nothing. */
    void judge(Verified verified, boolean isLater) {
        int at = find(verified.candidate().packed());
        if (isOpen(at)) {
            boolean isRedirected = verified.originalId() == null && verified.redirect() != null;
            states[at] = isRedirected ? REDIRECTED : JUDGED;
            dismissed += isRedirected ? 1 : 0;
            missing--;
            compared += verified.similarity().value() > 0 ? 1 : 0;
            if (verified.originalId() != null && isLater) {
                bestLater = better(verified, bestLater);
            } else if (verified.originalId() != null) {
                best = better(verified, best);
            }
        }
    }

    private static Verified better(Verified verified, @Nullable Verified known) {
        if (known == null) {
            return verified;
        }
        int compared =
                Double.compare(verified.similarity().value(), known.similarity().value());
        return compared > 0 || (compared == 0 && verified.candidate().compareTo(known.candidate()) < 0)
                ? verified
                : known;
    }

    /** These are no match, for good. */
    void dismissNoMatch(DocumentRefs candidates) {
        dismissed += close(candidates, NO_MATCH);
        if (2 * dismissed > entries) {
            dropDismissed();
        }
    }

    /** These are no match as long as they repeat others. */
    void dismissDuplicates(DocumentRefs candidates) {
        dismissed += close(candidates, REDIRECTED);
    }

    /** These were not compared: who learns of one again asks again. */
    void truncate(DocumentRefs candidates) {
        asked -= close(candidates, TRUNCATED);
    }

    /** These were not compared yet. */
    void defer(DocumentRefs candidates) {
        asked -= close(candidates, DEFERRED);
    }

    private boolean isOpen(int at) {
        return at != NOWHERE && states[at] == OPEN;
    }

    private int close(DocumentRefs candidates, byte state) {
        int closed = 0;
        for (int i = 0; i < candidates.size(); i++) {
            int candidate = find(candidates.packed(i));
            if (isOpen(candidate)) {
                states[candidate] = state;
                closed++;
            }
        }
        missing -= closed;
        return closed;
    }

    private void dropDismissed() {
        int kept = 0;
        for (int i = 0; i < entries; i++) {
            if (states[i] != NO_MATCH && states[i] != REDIRECTED) {
                refs[kept] = refs[i];
                states[kept++] = states[i];
            }
        }
        entries = kept;
        dismissed = 0;
        resize(Math.max(ENTRIES_MIN, kept));
    }

    boolean areAllJudged() {
        return missing == 0;
    }

    /** Those without an answer, in the order in which they were asked. */
    DocumentRefs unverified() {
        if (missing == 0) {
            return DocumentRefs.NONE;
        }
        DocumentRefs.Builder open = new DocumentRefs.Builder();
        for (int i = 0; i < entries; i++) {
            if (states[i] == OPEN) {
                open.add(refs[i]);
            }
        }
        return open.take();
    }

    /**
     * The most similar original at or above the threshold, of equal ones the first by ref; one that came later only
     * where there is no other.
     */
    Optional<Verified> bestMatch(double threshold) {
        return Optional.ofNullable(best)
                .filter(verified -> verified.similarity().value() >= threshold)
                .or(() -> Optional.ofNullable(bestLater)
                        .filter(verified -> verified.similarity().value() >= threshold));
    }

    /** Appends one; false if it is here. */
    private boolean append(long ref, byte state) {
        if (entries == refs.length) {
            resize(Math.max(ENTRIES_MIN, 2 * entries));
        }
        int slot = slotOf(ref);
        if (slots[slot] != 0) {
            return false;
        }
        refs[entries] = ref;
        states[entries++] = state;
        slots[slot] = entries;
        return true;
    }

    private void resize(int capacity) {
        refs = Arrays.copyOf(refs, capacity);
        states = Arrays.copyOf(states, capacity);
        slots = new int[Integer.highestOneBit(capacity) * 4];
        for (int i = 0; i < entries; i++) {
            slots[slotOf(refs[i])] = i + 1;
        }
    }

    private int find(long ref) {
        return entries == 0 ? NOWHERE : slots[slotOf(ref)] - 1;
    }

    /** The slot of a ref, or the free one where it belongs. */
    private int slotOf(long ref) {
        int mask = slots.length - 1;
        int slot = (int) ((ref * 0x9E37_79B9_7F4A_7C15L) >>> 32) & mask;
        while (slots[slot] != 0 && refs[slots[slot] - 1] != ref) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}
