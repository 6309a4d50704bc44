package io.neardup.tools.feed;

import io.neardup.tools.feed.CrawlBytes.Damage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.netpreserve.jwarc.MessageHeaders;
import org.netpreserve.jwarc.WarcParser;

/**
 * Records of WARC, WET and ARC. jwarc parses headers and HTTP; where records begin and end is found here, so that a
 * broken one takes none of the others with it. Each record of the archive is counted, whatever it is.
 *
 * <p>Where the gzip member of a record is cut, the next member may be unpacked as if it went on. So a record is given
 * out only after all up to the next one was read: if that is another member, the checksum of its own holds. In an
 * archive that is one member, the next header at its place has to do: the whole would not fit into memory.
 */
final class CrawlReader implements FormatReader {
    /** The most bytes of an archive's record that are kept. */
    static final int BLOCK_BYTES_MAX = 16 << 20;

    /** As much is kept of those that do not matter, to find the next record where one is too short. */
    private static final int SMALL_BLOCK_BYTES = 1 << 16;

    /** As much belongs to the record before it, whose length is a little wrong; more may have been a record. */
    private static final int REMNANT_BYTES_MAX = 32;

    private static final int HEADER_BYTES_MAX = 1 << 18;

    private final String source;
    private final CrawlBytes bytes;
    private final SkippedParts skipped;
    private final CapturedPages pages;
    private final int recordBytesMax;
    private final WarcParser parser = new WarcParser();
    private long number;
    private long offset;
    /** What lies before the next record belongs to one that was skipped. */
    private boolean isBehindBroken;
    /** Bytes before the next record that belong to none. */
    private long junkBytes;

    private long junkOffset;

    CrawlReader(String source, PackedInput in, SkippedParts skipped, int recordBytesMax) {
        this.source = source;
        this.bytes = new CrawlBytes(in);
        this.skipped = skipped;
        this.pages = new CapturedPages();
        this.recordBytesMax = recordBytesMax;
        parser.setLenient(true);
    }

    /** The archive's record is none of ours. */
    static final class SkippedException extends Exception {
        private static final long serialVersionUID = 1L;

        private final Skip skip;

        SkippedException(Skip skip, String found) {
            super(found);
            this.skip = skip;
        }
    }

    @Override
    public @Nullable FeedRecord next() throws IOException {
        while (isFound()) {
            try {
                return read();
            } catch (SkippedException e) {
                skip(e.skip, String.valueOf(e.getMessage()));
            }
        }
        return null;
    }

    @Override
    public long number() {
        return number;
    }

    private void skip(Skip skip, String found) {
        skipped.add(skip, source, number, offset, found);
    }

    /** Goes to the next record. What is no record is skipped as one. */
    private boolean isFound() throws IOException {
        passJunk();
        offset = junkOffset;
        // Where a member is damaged, that says why they are none.
        if (!isBehindBroken && junkBytes > REMNANT_BYTES_MAX && !bytes.isDamaged()) {
            number++;
            skip(Skip.BROKEN, "expected the header of a WARC or ARC record, found " + junkBytes + " other bytes");
        }
        // Each damaged member had a record, of which nothing came.
        for (Damage damage = bytes.nextDamage(); damage != null; damage = bytes.nextDamage()) {
            skipped.add(damage.skip(), source, number + 1, damage.offset(), damage.found(), damage.count());
            number += damage.count();
        }
        isBehindBroken = false;
        junkBytes = 0;
        offset = bytes.offset();
        return !bytes.isAtEnd();
    }

    /** Goes to the next record, or stays there. */
    private void passJunk() throws IOException {
        bytes.skipLineEnds();
        if (!bytes.isAtEnd() && !bytes.isAtRecord()) {
            junkOffset = bytes.offset();
            junkBytes += bytes.skipToRecord();
        }
    }

    /** Goes to the next record: what is wrong with the packing of this one is known only there. */
    private @Nullable Damage damage() throws IOException {
        long last = bytes.lastMemberOffset();
        passJunk();
        return bytes.damageUpTo(last);
    }

    /** Goes to the next record. What lies before it belongs to this one, and damage says more than what came of it. */
    private SkippedException broken(Skip skip, String found) throws IOException {
        Damage damage = damage();
        isBehindBroken = true;
        return damage == null
                ? new SkippedException(skip, found)
                : new SkippedException(damage.skip(), found + ": " + damage.found());
    }

    private @Nullable FeedRecord read() throws IOException, SkippedException {
        number++;
        MessageHeaders headers = headers();
        long length = length(headers);
        Capture capture = new Capture(headers, parser.version().getProtocol().equals("ARC"));
        Skip unwanted = capture.unwanted();
        boolean isKept = length <= (unwanted == null ? BLOCK_BYTES_MAX : SMALL_BLOCK_BYTES);
        ByteArrayOutputStream block = new ByteArrayOutputStream((int) Math.min(isKept ? length : 0, 1 << 14));
        long found = bytes.skip(length, isKept ? block : null);
        if (found < length || !bytes.isFollowed()) {
            checkCut(block.toByteArray(), length, found);
        }
        Damage damage = damage();
        if (damage != null) {
            isBehindBroken = true;
            throw new SkippedException(damage.skip(), damage.found());
        }
        if (unwanted != null) {
            throw new SkippedException(unwanted, "");
        }
        if (!isKept) {
            throw new SkippedException(
                    Skip.TOO_LARGE, "expected at most " + BLOCK_BYTES_MAX + " bytes, found " + length);
        }
        return pages.record(capture, block.toByteArray()).record(source, number, recordBytesMax);
    }

    /** Where the next record begins inside of this one, it is read from there. */
    private void checkCut(byte[] block, long length, long found) throws IOException, SkippedException {
        int other = CrawlBytes.recordIn(block);
        boolean isUnread = other > 0 && bytes.unread(block, other);
        if (other > 0 || found < length) {
            throw broken(
                    Skip.TRUNCATED,
                    "expected " + length + " bytes, found " + (other > 0 ? other : found)
                            + (isUnread || other < 0 ? "" : ", and too many such records to read what lies in this"));
        }
    }

    private MessageHeaders headers() throws IOException, SkippedException {
        parser.reset();
        int taken = 0;
        boolean isBroken = false;
        while (!parser.isFinished() && !isBroken) {
            ByteBuffer more = taken > 0 && bytes.isCutHere() ? null : bytes.more();
            isBroken = more == null || taken > HEADER_BYTES_MAX;
            if (more != null) {
                int start = more.position();
                parser.parse(more);
                bytes.take(more);
                taken += more.position() - start;
                isBroken |= parser.isError();
            }
        }
        if (isBroken) {
            throw bytes.isAtEnd()
                    ? broken(Skip.TRUNCATED, "its header ends early")
                    : broken(Skip.BROKEN, "its header is not as WARC or ARC want it");
        }
        return parser.headers();
    }

    private long length(MessageHeaders headers) throws IOException, SkippedException {
        Optional<String> length = headers.first("Content-Length").map(String::strip);
        if (length.isPresent() && length.get().matches("\\d{1,18}")) {
            return Long.parseLong(length.get());
        }
        throw broken(Skip.BROKEN, length.isPresent() ? "its Content-Length is no number" : "it has no Content-Length");
    }

    /** What an archive says of one of its records. */
    record Capture(MessageHeaders headers, boolean isArc) {
        /** Why its content does not matter, if it does not. */
        @Nullable
        Skip unwanted() {
            return switch (header("WARC-Type").toLowerCase(Locale.ROOT)) {
                case "response", "resource", "conversion" -> null;
                case "revisit" -> Skip.REVISIT;
                case "request" -> Skip.REQUEST;
                case "warcinfo" -> Skip.INFO;
                case "metadata" -> Skip.METADATA;
                default -> Skip.OTHER_TYPE;
            };
        }

        /** Empty if there is none. */
        String header(String name) {
            return headers.first(name).map(String::strip).orElse("");
        }
    }
}
