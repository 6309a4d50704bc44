package io.neardup.feed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.neardup.feed.PackedInput.Packing;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of an archive: says where a record may begin, and finds the next such place behind what is broken. Damaged
 * gzip members are gone over. Not thread-safe.
 */
final class CrawlBytes {
    private static final int BUFFER_LENGTH = 1 << 16;
    /** As much of a header is looked at to tell that it is one. */
    private static final int SIGN_LENGTH = 4096;

    /** As many are looked at behind a record without being gone over. */
    private static final int LINE_ENDS_MAX = 64;

    private static final byte[] WARC = {'W', 'A', 'R', 'C', '/'};
    private static final Pattern ARC =
            Pattern.compile("[a-z][a-z0-9+.-]*:[^ \n]* [^ \n]+ \\d{8,28} [^\n]*\\d\r?\n.*", Pattern.DOTALL);

    private final PackedInput in;
    private byte[] buffer = new byte[BUFFER_LENGTH];
    private int position;
    private int limit;
    /** Of the byte at index 0, if the file is not gzip. */
    private long bufferOffset;

    /** Where gzip members begin in the buffer, behind the position. */
    private final Deque<Member> members = new ArrayDeque<>();

    private long memberOffset;
    private boolean isEnded;
    private final Deque<Damage> damages = new ArrayDeque<>();

    private record Member(int index, long offset) {}

    /**
     * Damage that was gone over.
     *
     * @param offset of the gzip member; of zstd 0, as nothing behind it can be read
     * @param skip as what a part counts that is lost by it
     */
    record Damage(long offset, Skip skip, String found) {}

    CrawlBytes(PackedInput in) {
        this.in = in;
    }

    /** Of the next byte; of gzip, that of its member. */
    long offset() {
        passMembers();
        return in.packing() == Packing.GZIP ? memberOffset : bufferOffset + position;
    }

    /** The next of the damages that were gone over, or null. */
    @Nullable
    Damage nextDamage() {
        return damages.poll();
    }

    /** The first of the damages that were gone over in members up to the one that begins there; told once, or null. */
    @Nullable
    Damage damageUpTo(long memberOffset) {
        Damage first = null;
        while (!damages.isEmpty() && damages.element().offset <= memberOffset) {
            Damage damage = damages.remove();
            first = first == null ? damage : first;
        }
        return first;
    }

    /** Whether damage was gone over that was not told. */
    boolean isDamaged() {
        return !damages.isEmpty();
    }

    /** Where the gzip member of the last byte begins that was read or gone over; 0 where there are none. */
    long lastMemberOffset() {
        long last = memberOffset;
        for (Member member : members) {
            if (member.index < position) {
                last = member.offset;
            }
        }
        return last;
    }

    /** Whether there are no more bytes. */
    boolean isAtEnd() throws IOException {
        return !has(1);
    }

    /** Whether the header of a record begins here. */
    boolean isAtRecord() throws IOException {
        if (!has(WARC.length)) {
            return false;
        }
        for (int i = 0; i < WARC.length; i++) {
            if (buffer[position + i] != WARC[i]) {
                return isAtArc();
            }
        }
        return true;
    }

    private boolean isAtArc() throws IOException {
        if (buffer[position] < 'a' || buffer[position] > 'z') {
            return false;
        }
        int end = position;
        while (has(end - position + 1) && end - position < SIGN_LENGTH && buffer[end] != '\n') {
            end++;
        }
        return ARC.matcher(new String(buffer, position, Math.min(limit, end + 1) - position, ISO_8859_1))
                .matches();
    }

    /** Whether nothing but line ends lies before the next record or the end; goes over nothing. */
    boolean isFollowed() throws IOException {
        int ends = 0;
        while (ends < LINE_ENDS_MAX && has(ends + 1) && isLineEnd(buffer[position + ends])) {
            ends++;
        }
        position += ends;
        boolean isFollowed = isAtEnd() || isAtRecord();
        position -= ends;
        return isFollowed;
    }

    /** Where the header of a record begins at a line of a block, or -1. */
    static int recordIn(byte[] block) {
        for (int at = 1; at < block.length - WARC.length; at++) {
            if (block[at - 1] == '\n'
                    && (Arrays.equals(block, at, at + WARC.length, WARC, 0, WARC.length) || isArc(block, at))) {
                return at;
            }
        }
        return -1;
    }

    private static boolean isArc(byte[] block, int at) {
        int end = at;
        while (end < block.length && end - at < SIGN_LENGTH && block[end] != '\n') {
            end++;
        }
        return block[at] >= 'a'
                && block[at] <= 'z'
                && ARC.matcher(new String(block, at, Math.min(block.length, end + 1) - at, ISO_8859_1))
                        .matches();
    }

    /** Puts the last bytes of what was read back before the next one. */
    void unread(byte[] read, int from) {
        int count = read.length - from;
        byte[] joined = new byte[Math.max(BUFFER_LENGTH, count + limit - position)];
        System.arraycopy(read, from, joined, 0, count);
        System.arraycopy(buffer, position, joined, count, limit - position);
        passMembers();
        int shift = count - position;
        for (int i = members.size(); i > 0; i--) {
            Member member = members.remove();
            members.add(new Member(member.index + shift, member.offset));
        }
        bufferOffset += position - count;
        limit += shift;
        position = 0;
        buffer = joined;
    }

    /** Goes over line ends. */
    void skipLineEnds() throws IOException {
        while (has(1) && isLineEnd(buffer[position])) {
            position++;
        }
    }

    private static boolean isLineEnd(byte b) {
        return b == '\r' || b == '\n';
    }

    /**
     * Goes to the next line or gzip member at which a record begins, beyond the next byte; to the end if there is none.
     *
     * @return bytes gone over
     */
    long skipToRecord() throws IOException {
        long skipped = 0;
        boolean isFound = false;
        while (!isFound && has(1)) {
            int end = untilMember();
            int at = position + 1;
            while (at < position + end && buffer[at - 1] != '\n') {
                at++;
            }
            skipped += at - position;
            position = at;
            isFound = has(1) && isAtRecord();
        }
        return skipped;
    }

    /** What may be looked at without more being read; its position is to be told by {@link #take}. */
    @Nullable
    ByteBuffer more() throws IOException {
        return has(1) ? ByteBuffer.wrap(buffer, position, untilMember()) : null;
    }

    /** Goes on to where the buffer of {@link #more} stands. */
    void take(ByteBuffer taken) {
        position = taken.position();
    }

    /** Whether a gzip member begins here, and a record with it. */
    boolean isCutHere() throws IOException {
        if (!has(1)) {
            return true;
        }
        return isAtMember() && isAtRecord();
    }

    /**
     * Goes over so many bytes.
     *
     * @param into where they are kept, if they are
     * @return how many there were, before the end or a gzip member that a record begins with
     */
    long skip(long length, @Nullable ByteArrayOutputStream into) throws IOException {
        long left = length;
        while (left > 0 && !isCutHere()) {
            int count = (int) Math.min(left, untilMember());
            if (into != null) {
                into.write(buffer, position, count);
            }
            position += count;
            left -= count;
        }
        return length - left;
    }

    private boolean isAtMember() {
        for (Member member : members) {
            if (member.index >= position) {
                return member.index == position;
            }
        }
        return false;
    }

    /** Bytes in the buffer before the next member behind the position; at least 1 where there are any. */
    private int untilMember() {
        for (Member member : members) {
            if (member.index > position) {
                return member.index - position;
            }
        }
        return limit - position;
    }

    private void passMembers() {
        while (!members.isEmpty() && members.peek().index <= position) {
            memberOffset = members.remove().offset;
        }
    }

    /** Whether so many bytes are in the buffer, or come into it. */
    private boolean has(int length) throws IOException {
        while (limit - position < length && !isEnded) {
            if (position > 0 && limit == buffer.length) {
                compact();
            }
            fill();
        }
        return limit - position >= length;
    }

    /** Gives up what lies before the position, but for line ends that are looked at. */
    private void compact() {
        int shift = Math.max(0, position - LINE_ENDS_MAX);
        while (!members.isEmpty() && members.peek().index < shift) {
            memberOffset = members.remove().offset;
        }
        System.arraycopy(buffer, shift, buffer, 0, limit - shift);
        bufferOffset += shift;
        limit -= shift;
        position -= shift;
        for (int i = members.size(); i > 0; i--) {
            Member member = members.remove();
            members.add(new Member(member.index - shift, member.offset));
        }
    }

    private void fill() throws IOException {
        try {
            int count = in.read(buffer, limit, buffer.length - limit);
            if (count < 0) {
                isEnded = true;
                return;
            }
            if (in.isMemberStart()) {
                members.add(new Member(limit, in.offset()));
            }
            limit += count;
        } catch (DamagedException e) {
            long damaged = in.memberOffset();
            isEnded = !in.skipDamage();
            damages.add(
                    in.isOverrun()
                            ? new Damage(damaged, Skip.TRUNCATED, "its gzip member ends early, as the next one begins")
                            : new Damage(damaged, e.skip(), String.valueOf(e.getMessage())));
        }
    }
}
