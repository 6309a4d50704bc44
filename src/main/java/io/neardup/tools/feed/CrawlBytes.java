package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.neardup.tools.feed.PackedInput.Packing;
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

    /** The longest scheme of a URI that a header of ARC may begin with. */
    private static final int SCHEME_LENGTH_MAX = 64;

    /** As many are looked at behind a record without being gone over. */
    private static final int LINE_ENDS_MAX = 64;

    /** As many damages in a row are told one by one. */
    private static final int DAMAGES_MAX = 64;

    /**
     * So many bytes are put back for each one that was read: lengths that are all too long would have the rest of the
     * archive read again at each record.
     */
    private static final int UNREAD_PER_BYTE_MAX = 16;

    private static final int UNREAD_FREE = 1 << 20;

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
    private long unread;
    private final Deque<Damage> damages = new ArrayDeque<>();

    private record Member(int index, long offset) {}

    /**
     * Damage that was gone over.
     *
     * @param offset of the gzip member; of zstd 0, as nothing behind it can be read
     * @param skip as what a part counts that is lost by it
     * @param count of the damages that this one stands for, itself included: one alone, but for the last of many
     */
    record Damage(long offset, Skip skip, String found, long count) {}

    CrawlBytes(PackedInput in) {
        this.in = in;
    }

    /** Of the next byte; of gzip, that of its member. */
    long offset() {
        passMembers(position);
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
        passMembers(position - 1);
        return memberOffset;
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
        if (!isSchemeChar(buffer[position], true)) {
            return false;
        }
        boolean unused = has(SCHEME_LENGTH_MAX + 1);
        if (!isScheme(buffer, position, limit)) {
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

    /** Whether a URI may begin there: the pattern of a header is dear, and long lines without one are many. */
    private static boolean isScheme(byte[] bytes, int from, int to) {
        int at = from;
        int end = Math.min(to, from + SCHEME_LENGTH_MAX + 1);
        while (at < end && isSchemeChar(bytes[at], at == from)) {
            at++;
        }
        return at > from && at < end && bytes[at] == ':';
    }

    private static boolean isSchemeChar(byte b, boolean isFirst) {
        return (b >= 'a' && b <= 'z') || (!isFirst && ((b >= '0' && b <= '9') || b == '+' || b == '.' || b == '-'));
    }

    private static boolean isArc(byte[] block, int at) {
        if (!isScheme(block, at, block.length)) {
            return false;
        }
        int end = at;
        while (end < block.length && end - at < SIGN_LENGTH && block[end] != '\n') {
            end++;
        }
        return ARC.matcher(new String(block, at, Math.min(block.length, end + 1) - at, ISO_8859_1))
                .matches();
    }

    /**
     * Puts the last bytes of what was read back before the next one.
     *
     * @return false if that is too much for what was read so far
     */
    boolean unread(byte[] read, int from) {
        int count = read.length - from;
        if (unread + count > UNREAD_FREE + UNREAD_PER_BYTE_MAX * (bufferOffset + limit)) {
            return false;
        }
        unread += count;
        byte[] joined = new byte[Math.max(BUFFER_LENGTH, count + limit - position)];
        System.arraycopy(read, from, joined, 0, count);
        System.arraycopy(buffer, position, joined, count, limit - position);
        passMembers(position);
        int shift = count - position;
        for (int i = members.size(); i > 0; i--) {
            Member member = members.remove();
            members.add(new Member(member.index + shift, member.offset));
        }
        bufferOffset += position - count;
        limit += shift;
        position = 0;
        buffer = joined;
        return true;
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
        passMembers(position - 1);
        Member next = members.peek();
        return next != null && next.index == position;
    }

    /** Bytes in the buffer before the next member behind the position; at least 1 where there are any. */
    private int untilMember() {
        passMembers(position - 1);
        for (Member member : members) {
            if (member.index > position) {
                return member.index - position;
            }
        }
        return limit - position;
    }

    /** Up to one that begins at an index. */
    private void passMembers(int index) {
        while (!members.isEmpty() && members.peek().index <= index) {
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
        passMembers(shift - 1);
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
            add(
                    in.isOverrun()
                            ? new Damage(
                                    damaged, Skip.TRUNCATED, "its gzip member ends early, as the next one begins", 1)
                            : new Damage(damaged, e.skip(), String.valueOf(e.getMessage()), 1));
        }
    }

    private void add(Damage damage) {
        if (damages.size() < DAMAGES_MAX) {
            damages.add(damage);
        } else {
            Damage last = damages.removeLast();
            damages.add(new Damage(last.offset, last.skip, last.found, last.count + 1));
        }
    }
}
