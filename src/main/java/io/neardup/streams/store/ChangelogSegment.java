package io.neardup.streams.store;

import io.neardup.engine.lsh.ArrayInput;
import io.neardup.engine.lsh.ArrayOutput;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Documents of a band table that went into its changelog together, in one record, and which of them are dead by now. A
 * document's place in the record is its slot. As long as the segment is recent, it also has the record itself, and each
 * document's number in the table.
 */
final class ChangelogSegment {
    static final int DOCUMENTS_MAX = BandLogCodec.SEGMENT_DOCUMENTS_MAX;

    // What of it is in a snapshot.
    private static final int WRITTEN = 1;
    private static final int IN_TABLE = 2;
    private static final int CONTENT = 4;
    private static final int NUMBERS = 8;

    private final long id;
    private final int place;
    /** Its id, or that of the first segment that it was merged from: the smaller the older. */
    private long age;

    private int documents;
    /** Bit i is slot i. */
    private long dead;
    /** The dead as the changelog has them; no record of them if there are none. */
    private long deadWritten;

    private boolean written;
    private boolean inTable;
    private byte @Nullable [] content;
    private int @Nullable [] numbers;

    /** @param place among all segments of the table, see {@link ChangelogSegments} */
    ChangelogSegment(long id, int place) {
        this.id = id;
        this.place = place;
        this.age = id;
    }

    static ChangelogSegment readFrom(ArrayInput from) throws IOException {
        ChangelogSegment read = new ChangelogSegment(from.readLong(), from.readInt());
        read.age = from.readLong();
        read.documents = from.readInt();
        read.dead = from.readLong();
        read.deadWritten = from.readLong();
        int flags = from.readInt();
        read.written = (flags & WRITTEN) != 0;
        read.inTable = (flags & IN_TABLE) != 0;
        read.content = (flags & CONTENT) == 0 ? null : from.readBytes();
        read.numbers = (flags & NUMBERS) == 0 ? null : from.readInts();
        return read;
    }

    void writeTo(ArrayOutput to) throws IOException {
        to.writeLong(id);
        to.writeInt(place);
        to.writeLong(age);
        to.writeInt(documents);
        to.writeLong(dead);
        to.writeLong(deadWritten);
        to.writeInt((written ? WRITTEN : 0)
                | (inTable ? IN_TABLE : 0)
                | (content == null ? 0 : CONTENT)
                | (numbers == null ? 0 : NUMBERS));
        if (content != null) {
            to.writeBytes(content);
        }
        if (numbers != null) {
            to.writeInts(numbers);
        }
    }

    long id() {
        return id;
    }

    long age() {
        return age;
    }

    void setAge(long segment) {
        age = segment;
    }

    int place() {
        return place;
    }

    /** Takes one more document: its slot. */
    int add() {
        return documents++;
    }

    /** Takes so many more documents. */
    void add(int more) {
        documents += more;
    }

    /** Dead ones too. */
    int documents() {
        return documents;
    }

    int alive() {
        return documents - Long.bitCount(dead);
    }

    boolean isDead(int slot) {
        return (dead >>> slot & 1) != 0;
    }

    void kill(int slot) {
        dead |= 1L << slot;
    }

    /** Kills those of the slots that there are; the number of those that were alive. */
    int killAll(long slots) {
        int before = alive();
        dead |= slots & -1L >>> (Long.SIZE - documents);
        return before - alive();
    }

    long dead() {
        return dead;
    }

    boolean hasUnwrittenDead() {
        return dead != deadWritten;
    }

    boolean hasWrittenDead() {
        return deadWritten != 0;
    }

    void markDeadWritten() {
        deadWritten = dead;
    }

    boolean isWritten() {
        return written;
    }

    /** The segment is in the changelog. */
    void markWritten(byte[] record) {
        written = true;
        content = record;
    }

    /** The record, while the segment is recent. */
    byte[] content() {
        return Objects.requireNonNull(content, "the segment is not recent");
    }

    /** About what the living take of the record: all keys are of one length. */
    int bytesAlive() {
        return (int) ((long) content().length * alive() / documents);
    }

    /** Whether the table has its documents, other than those that were dead already. */
    boolean isInTable() {
        return inTable;
    }

    void markInTable(int[] numbersInTable) {
        inTable = true;
        numbers = numbersInTable;
    }

    /** The number in the table of a document, while the segment is recent. */
    int number(int slot) {
        return Objects.requireNonNull(numbers, "the segment is not recent")[slot];
    }

    /** It is recent no longer. */
    void forget() {
        content = null;
        numbers = null;
    }
}
