package io.neardup.engine.protocol;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.protocol.CoordinatorRules.Slice;
import io.neardup.engine.protocol.MigrationSource.Handover;
import io.neardup.engine.protocol.SequenceAllocator.SequenceBlock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * The part of a coordinator that survives a crash. Each call of a {@link DocumentCoordinator} is one step: its changes
 * here and its messages take effect together or not at all. Records in flight are not here: they are read again from
 * the input.
 */
public interface CoordinatorState {

    /** Counts a start of this coordinator; returns a number greater than all before. */
    int raiseEpoch();

    // ---- the input

    void begin(SequenceBlock block);

    void forget(SequenceBlock block);

    /** The blocks begun and not forgotten, in the order of their sequence numbers. */
    List<SequenceBlock> blocks();

    void notePosition(String topic, InputPosition position);

    /** By topic, of those of which records were taken, or that start where a predecessor ended. */
    Map<String, InputPosition> positions();

    /**
     * How far a coordinator is with a topic.
     *
     * @param offset all records before it are released
     * @param readEnd behind the last record that was read, now or in an earlier epoch; at least the offset
     */
    record InputPosition(long offset, long readEnd) {

        /** All that was read is released. */
        public InputPosition(long offset) {
            this(offset, offset);
        }

        /** Whether the record at an offset was read, and it or one before it is not released. */
        boolean isHeld(long at) {
            return at >= offset && at < readEnd;
        }

        /** Whether records were read that are not released. */
        public boolean isHeld() {
            return offset < readEnd;
        }
    }

    // ---- decisions

    /**
     * Notes a decision that cannot be released yet. {@link Decision#UNIQUE} needs no note as long as the document is
     * an original.
     */
    void noteDecision(DocumentRef document, Decision decision);

    Optional<Decision> decision(DocumentRef document);

    /** Forgets a decision; nothing happens if none is noted. */
    void forgetDecision(DocumentRef document);

    // ---- originals

    void addOriginal(DocumentRef document, Original original);

    Optional<Original> original(DocumentRef document);

    /** An original without its evidence, which is not read. */
    Optional<Entry> entry(DocumentRef document);

    /** Removes an original; returns whether it was ever repeated. */
    boolean removeOriginal(Entry original);

    /**
     * An original without its evidence.
     *
     * @param bytes its size with its evidence
     */
    record Entry(DocumentRef ref, String id, Origin origin, BandKeys keys, long bytes) {}

    /** The first originals from a sequence number on, in order, up to one whose timestamp does not match. */
    List<Entry> originalsFrom(long sequence, LongPredicate timestampMillis, Slice max);

    /** The first originals of a record key from a sequence number on to before another, in their order. */
    List<Entry> originalsOf(RecordKey key, long fromSequence, long beforeSequence, Slice max);

    /** The originals that were taken over and had this ref in the predecessor; mostly one or none. */
    List<Entry> originalsTakenOverAs(DocumentRef predecessorRef);

    /** The originals with an id, in the order of their refs; of coordinators whose rules replace versions only. */
    List<Entry> originalsWithId(String id);

    // ---- tombstones

    /**
     * Notes a tombstone that is still in force: its step could not remove all its originals, or records that came
     * before it are in flight. It replaces an earlier one of its key.
     */
    void note(Tombstone tombstone);

    void forget(Tombstone tombstone);

    List<Tombstone> tombstones();

    /** Originals of the key with a smaller sequence number are originals no longer. */
    record Tombstone(RecordKey key, long beforeSequence) {}

    // ---- expiry

    void noteExpiry(Expiry expiry);

    /** The one noted last, {@link Expiry#NONE} if there is none. */
    Expiry expiry();

    /**
     * How far the originals have expired.
     *
     * @param nextSequence all before it have been looked at
     * @param eventMillis where the event clock stood
     */
    record Expiry(long nextSequence, long eventMillis) {
        public static final Expiry NONE = new Expiry(0, 0);
    }

    /** Notes when an original was last repeated; removed with the original. */
    void noteRepeat(DocumentRef original, long eventMillis);

    /** The time noted last, 0 if there is none. */
    long lastRepeated(DocumentRef original);

    /** Puts an original in the order of times. It may be there more than once, and longer than the original. */
    void note(RefreshedExpiry refreshed);

    void forget(RefreshedExpiry refreshed);

    /** The first of them, the oldest first, up to a time. */
    List<RefreshedExpiry> refreshed(long fromMillisMax, int max);

    /**
     * An original that expires later than the order of sequence numbers says.
     *
     * @param fromMillis where its retention counts from: when it was last repeated, or a timestamp far ahead
     */
    record RefreshedExpiry(DocumentRef ref, long fromMillis) {}

    // ---- migration

    /** Notes what the successor takes, in place of an earlier note. */
    void note(Handover handover);

    Optional<Handover> handover();

    void noteTakenOver(TakenOver takenOver);

    /** As noted, {@link TakenOver#NONE} if nothing was. */
    TakenOver takenOver();

    /**
     * What was taken over from a predecessor.
     *
     * @param beforeSequence above the numbers of all its originals; no other original has a smaller one; 0 if none
     * @param isSpread whether its originals may be on other coordinators than later records of the same keys
     */
    record TakenOver(long beforeSequence, boolean isSpread) {
        public static final TakenOver NONE = new TakenOver(0, false);
    }
}
