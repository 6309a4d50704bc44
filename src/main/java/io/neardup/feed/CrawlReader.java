package io.neardup.feed;

import io.neardup.feed.CrawlBytes.Damage;
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
    /** What lies before the next record belongs to one that was passed over. */
    private boolean isBehindBroken;

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
        skipped.add(skip, source + ":" + number, offset, found);
    }

    /** Goes to the next record. What is no record is passed over as one. */
    private boolean isFound() throws IOException {
        bytes.skipLineEnds();
        offset = bytes.offset();
        if (!bytes.isAtEnd() && !bytes.isAtRecord()) {
            long junk = bytes.skipToRecord();
            if (!isBehindBroken && junk > REMNANT_BYTES_MAX) {
                number++;
                skip(Skip.BROKEN, "expected the header of a WARC or ARC record, found " + junk + " other bytes");
            }
            offset = bytes.offset();
        }
        // Each damaged member had a record, of which nothing came.
        for (Damage damage = bytes.nextDamage(); damage != null; damage = bytes.nextDamage()) {
            number++;
            skipped.add(Skip.TRUNCATED, source + ":" + number, damage.offset(), damage.found());
        }
        isBehindBroken = false;
        return !bytes.isAtEnd();
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
        checkDamage();
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
    private void checkCut(byte[] block, long length, long found) throws SkippedException {
        int other = CrawlBytes.recordIn(block);
        if (other > 0) {
            bytes.unread(block, other);
        }
        if (other > 0 || found < length) {
            isBehindBroken = true;
            String damage = bytes.damageOf(offset);
            throw new SkippedException(
                    Skip.TRUNCATED,
                    "expected " + length + " bytes, found " + (other > 0 ? other : found)
                            + (damage == null ? "" : ": " + damage));
        }
    }

    /** Where the gzip member ends wrongly, its bytes may be others than were packed. */
    private void checkDamage() throws SkippedException {
        String damage = bytes.damageOf(offset);
        if (damage != null) {
            throw new SkippedException(Skip.TRUNCATED, damage);
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
            isBehindBroken = true;
            checkDamage();
            throw bytes.isAtEnd()
                    ? new SkippedException(Skip.TRUNCATED, "its header ends early")
                    : new SkippedException(Skip.BROKEN, "its header is not as WARC or ARC want it");
        }
        return parser.headers();
    }

    private long length(MessageHeaders headers) throws SkippedException {
        Optional<String> length = headers.first("Content-Length").map(String::strip);
        if (length.isPresent() && length.get().matches("\\d{1,18}")) {
            return Long.parseLong(length.get());
        }
        isBehindBroken = true;
        throw new SkippedException(
                Skip.BROKEN, length.isPresent() ? "its Content-Length is no number" : "it has no Content-Length");
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
