package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.neardup.engine.text.HtmlBoundException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.netpreserve.jwarc.MessageHeaders;
import org.netpreserve.jwarc.ParsingException;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;

/**
 * Records of WARC, WET and ARC, read by jwarc. Each record of the archive is counted, whatever it is.
 *
 * <p>A record is given out only after what follows it was looked at: the end of its gzip member, with its checksum, or
 * the header of the next record at its place. Each gzip member is read by itself: behind one that is damaged, or whose
 * record is, jwarc begins anew with the next; what else is broken ends the archive.
 */
final class CrawlReader extends FormatReader {
    /** The most bytes of an archive's record that are kept. */
    static final int BLOCK_BYTES_MAX = 16 << 20;

    private static final int HEADER_BYTES_MAX = 1 << 18;
    private static final Set<String> WANTED = Set.of("response", "resource", "conversion");
    private static final Map<String, Skip> UNWANTED =
            Map.of("revisit", Skip.REVISIT, "request", Skip.REQUEST, "warcinfo", Skip.INFO, "metadata", Skip.METADATA);

    /** Where another record was read as a part of one whose length is too large. */
    private static final Pattern RECORD_INSIDE =
            Pattern.compile("\\n(WARC/\\d|[a-z]{3,9}:[^ \\n]{1,2000} [\\d.]{7,15} \\d{8,14} )");

    private final PackedInput in;
    /** What jwarc was given and has not read. */
    private final ByteBuffer unread = ByteBuffer.allocate(1 << 13);

    private final Member member = new Member();
    private @Nullable WarcReader archive;
    private @Nullable WarcRecord following;
    private long followingOffset;
    /** Met behind a record that is whole. */
    private @Nullable IOException failure;

    CrawlReader(String source, PackedInput in, Skipped skipped, int recordBytesMax) {
        super(source, skipped, recordBytesMax);
        this.in = in;
    }

    /** What is unpacked is not as an archive should be. */
    private static final class BrokenException extends IOException {
        private static final long serialVersionUID = 1L;

        private final Skip skip;

        BrokenException(Skip skip, String found) {
            super(found);
            this.skip = skip;
        }
    }

    @Override
    @Nullable
    FeedRecord read() throws IOException, SkippedException, HtmlBoundException {
        try {
            WarcRecord record = nextRecord();
            return record == null ? null : document(record);
        } catch (DamagedException e) {
            throw goOn(e.skip(), e.offset(), String.valueOf(e.getMessage()), in.findMember());
        } catch (BrokenException e) {
            throw goOn(e.skip, String.valueOf(e.getMessage()));
        } catch (EOFException e) {
            throw goOn(Skip.TRUNCATED, "its header ends early");
        } catch (ParsingException e) {
            // Its message has content in it.
            throw goOn(Skip.BROKEN, "expected the header of a WARC or ARC record, found other bytes");
        }
    }

    private @Nullable WarcRecord nextRecord() throws IOException {
        WarcRecord record = following;
        following = null;
        IOException met = failure;
        failure = null;
        if (met != null) {
            throw met;
        }
        while (record == null && (archive != null || in.beginMember())) {
            record = header();
        }
        offset = followingOffset;
        return record;
    }

    /** The next one of the file, or of the gzip member; null at its end. */
    private @Nullable WarcRecord header() throws IOException {
        WarcReader reader = archive;
        member.headerLeft = HEADER_BYTES_MAX;
        if (reader == null) {
            member.given = 0;
            unread.clear().flip();
            // It reads here already.
            reader = new WarcReader(member, unread);
            reader.setLenient(true);
            archive = reader;
        }
        WarcRecord record = null;
        try {
            if (passLineEnds()) {
                record = reader.next().orElse(null);
            }
        } catch (IllegalArgumentException e) {
            // So it says of some headers that they cannot be read.
            throw new ParsingException(e.toString());
        }
        member.headerLeft = Long.MAX_VALUE;
        archive = record == null ? null : reader;
        return record;
    }

    /**
     * To the next record, behind which jwarc takes two line ends; some crawlers write fewer, and others more. False if
     * there is none.
     */
    private boolean passLineEnds() throws IOException {
        do {
            while (unread.hasRemaining()) {
                byte next = unread.get(unread.position());
                if (next != '\r' && next != '\n') {
                    followingOffset = in.isGzip() ? in.offset() : member.given - unread.remaining();
                    return true;
                }
                unread.get();
            }
            unread.clear();
            member.read(unread);
            unread.flip();
        } while (unread.hasRemaining());
        return false;
    }

    private FeedRecord document(WarcRecord record) throws IOException, SkippedException, HtmlBoundException {
        MessageHeaders headers = record.headers();
        if (headers.first("Content-Length").isEmpty()) {
            throw new BrokenException(Skip.BROKEN, "it has no Content-Length");
        }
        String type = headers.first("WARC-Type").orElse("").strip().toLowerCase(Locale.ROOT);
        boolean isWanted = WANTED.contains(type);
        long length = record.body().size();
        byte[] block = {};
        if (isWanted && length <= BLOCK_BYTES_MAX) {
            block = record.body().stream().readNBytes((int) length);
        } else {
            record.body().consume();
        }
        if (record.body().position() < length) {
            throw new BrokenException(
                    Skip.TRUNCATED,
                    "expected " + length + " bytes, found " + record.body().position());
        }
        try {
            following = header();
        } catch (EOFException | ParsingException | BrokenException e) {
            if (RECORD_INSIDE.matcher(new String(block, ISO_8859_1)).find()) {
                throw new BrokenException(
                        Skip.TRUNCATED, "expected " + length + " bytes, found another record within them");
            }
            // The checksum of this one is at the end of its member.
            boolean unused = in.isGzip() && member.pass();
            failure = e;
        }
        if (!isWanted) {
            throw new SkippedException(UNWANTED.getOrDefault(type, Skip.OTHER_TYPE), "");
        }
        if (length > BLOCK_BYTES_MAX) {
            throw new SkippedException(
                    Skip.TOO_LARGE, "expected at most " + BLOCK_BYTES_MAX + " bytes, found " + length);
        }
        return record(CapturedPages.record(headers, block));
    }

    /** Behind a gzip member whose packing is sound; elsewhere, nothing more can be found. */
    private SkippedException goOn(Skip skip, String found) throws IOException {
        long at = in.isGzip() ? in.offset() : followingOffset;
        boolean isFollowed;
        try {
            isFollowed = in.isGzip() && member.pass();
        } catch (DamagedException e) {
            isFollowed = in.findMember();
        }
        return goOn(skip, at, found, isFollowed);
    }

    /** Behind damage, from the next gzip member on, if there is one; what was damaged is skipped. */
    private SkippedException goOn(Skip skip, long at, String found, boolean isFollowed) throws DamagedException {
        archive = null;
        following = null;
        if (!isFollowed) {
            throw new DamagedException(skip, at, found);
        }
        offset = at;
        return new SkippedException(skip, found);
    }

    /** What jwarc reads from: the whole file, or a gzip member. */
    private final class Member implements ReadableByteChannel {
        private final byte[] chunk = new byte[1 << 13];
        private long given;
        /** As many bytes may still be read of a header. */
        private long headerLeft = Long.MAX_VALUE;

        /** Goes to its end. */
        boolean pass() throws IOException {
            while (in.readMember(chunk, 0, chunk.length) >= 0) {
                // nothing of it is wanted
            }
            return true;
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            int count = in.readMember(chunk, 0, Math.min(into.remaining(), chunk.length));
            if (count < 0) {
                return -1;
            }
            if (given == 0 && (chunk[0] == 0x1f || chunk[0] == 0x28)) {
                // jwarc would unpack it once more, and without a bound.
                throw new BrokenException(Skip.BROKEN, "expected a record, found bytes that are packed twice");
            }
            into.put(chunk, 0, count);
            given += count;
            headerLeft -= count;
            if (headerLeft < 0) {
                throw new BrokenException(
                        Skip.BROKEN, "expected a header of at most " + HEADER_BYTES_MAX + " bytes, found more");
            }
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
