package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.neardup.engine.text.HtmlBoundException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.Arrays;
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
 * the header of the next record at its place. After a gzip member that is damaged, or whose record is, jwarc begins
 * anew with the next one; what else is broken ends the archive.
 */
final class CrawlReader extends FormatReader {
    static final int BLOCK_BYTES_MAX = 16 << 20;

    private static final int HEADER_BYTES_MAX = 1 << 18;
    private static final byte[] RECORD = {'W', 'A', 'R', 'C', '/'};
    private static final Set<String> WANTED = Set.of("response", "resource", "conversion");
    private static final Map<String, Skip> UNWANTED =
            Map.of("revisit", Skip.REVISIT, "request", Skip.REQUEST, "warcinfo", Skip.INFO, "metadata", Skip.METADATA);

    /** Where another record was read as a part of one whose length is too large. */
    private static final Pattern RECORD_INSIDE =
            Pattern.compile("\\n(WARC/\\d|[a-z]{3,9}:[^ \\n]{1,2000} [\\d.]{7,15} \\d{8,14} )");

    private final PackedInput in;
    private final Members members = new Members();
    /** What jwarc was given and has not read. */
    private final ByteBuffer unread = ByteBuffer.allocate(1 << 13);

    private @Nullable WarcReader archive;
    private @Nullable WarcRecord following;
    private long followingOffset;
    /** Met after a record that is whole. */
    private @Nullable DamagedException failure;

    CrawlReader(String source, PackedInput in, Skipped skipped, int recordBytesMax) {
        super(source, skipped, recordBytesMax);
        this.in = in;
    }

    @Override
    @Nullable
    FeedRecord read() throws IOException, SkippedException, HtmlBoundException {
        try {
            WarcRecord record = nextRecord();
            return record == null ? null : document(record);
        } catch (DamagedException e) {
            throw goOn(e);
        } catch (EOFException e) {
            throw goOn(new DamagedException(Skip.TRUNCATED, offset, "it ends early"));
        }
    }

    /** From the next gzip member on, if there is one; what is damaged is skipped. */
    private SkippedException goOn(DamagedException damage) throws IOException {
        archive = null;
        following = null;
        failure = null;
        if (!members.resume()) {
            throw damage;
        }
        offset = damage.offset();
        return new SkippedException(damage.skip(), String.valueOf(damage.getMessage()));
    }

    private @Nullable WarcRecord nextRecord() throws IOException {
        WarcRecord record = following;
        following = null;
        while (record == null && failure == null && (archive != null || members.begin())) {
            record = header();
        }
        DamagedException met = failure;
        if (record == null && met != null) {
            throw met;
        }
        offset = followingOffset;
        return record;
    }

    /** The next one of the file, or of the gzip member; null at its end, and where a {@link #failure} was met. */
    private @Nullable WarcRecord header() throws IOException {
        WarcRecord record = null;
        members.left = HEADER_BYTES_MAX;
        try {
            WarcReader reader = archive;
            if (reader == null) {
                members.given = 0;
                unread.clear().flip();
                // It reads here already.
                reader = new WarcReader(members, unread);
                reader.setLenient(true);
                archive = reader;
            }
            record = passLineEnds() ? reader.next().orElse(null) : null;
        } catch (EOFException e) {
            failure = broken(Skip.TRUNCATED, "its header ends early");
        } catch (ParsingException | IllegalArgumentException e) {
            // Their messages have content in them.
            failure = broken(Skip.BROKEN, "expected the header of a WARC or ARC record, found other bytes");
        }
        members.left = Long.MAX_VALUE;
        if (record == null) {
            archive = null;
        } else {
            members.isArc = record.version().getProtocol().equals("ARC");
        }
        return record;
    }

    private DamagedException broken(Skip skip, String found) {
        return new DamagedException(skip, in.isGzip() ? members.offset : followingOffset, found);
    }

    /**
     * To the next record, after which jwarc takes two line ends; some crawlers write fewer, and others more. False if
     * there is none.
     */
    private boolean passLineEnds() throws IOException {
        do {
            while (unread.hasRemaining()) {
                byte next = unread.get(unread.position());
                if (next != '\r' && next != '\n') {
                    followingOffset = in.isGzip() ? members.offset : members.given - unread.remaining();
                    return true;
                }
                unread.get();
            }
            unread.clear();
            members.read(unread);
            unread.flip();
        } while (unread.hasRemaining());
        return false;
    }

    private FeedRecord document(WarcRecord record) throws IOException, SkippedException, HtmlBoundException {
        MessageHeaders headers = record.headers();
        if (headers.first("Content-Length").isEmpty()) {
            throw new DamagedException(Skip.BROKEN, offset, "it has no Content-Length");
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
            throw new DamagedException(
                    Skip.TRUNCATED,
                    offset,
                    "expected " + length + " bytes, found " + record.body().position());
        }
        checkFollowing(block, length);
        if (!isWanted) {
            throw new SkippedException(UNWANTED.getOrDefault(type, Skip.OTHER_TYPE), "");
        }
        if (length > BLOCK_BYTES_MAX) {
            throw new SkippedException(
                    Skip.TOO_LARGE, "expected at most " + BLOCK_BYTES_MAX + " bytes, found " + length);
        }
        return record(CapturedPages.record(headers, block));
    }

    /** What follows tells whether a record is whole, by its place or by the checksum of its member. */
    private void checkFollowing(byte[] block, long length) throws IOException {
        try {
            following = header();
            if (failure != null) {
                if (RECORD_INSIDE.matcher(new String(block, ISO_8859_1)).find()) {
                    String found = "expected " + length + " bytes, found another record within them";
                    throw new DamagedException(Skip.TRUNCATED, offset, found);
                }
                members.pass();
            }
        } catch (DamagedException e) {
            if (!in.isGzip() || e.offset() == offset) {
                throw e;
            }
            // In a gzip member after the record, which is whole.
            failure = e;
        }
    }

    /**
     * What jwarc reads from: the whole file, or, of gzip, the members up to the next one that a record begins with. So
     * no record goes on into one that is another's.
     */
    private final class Members implements ReadableByteChannel {
        private final byte[] chunk = new byte[1 << 13];
        private int from;
        private int to;
        private boolean isEnded;
        private boolean isArc;
        /** Of the first bytes, or of the gzip member that is read; negative before there are any. */
        private long offset = -1;
        /** In the first bytes of a member after the one that is read. */
        private @Nullable DamagedException damage;

        private long given;
        /** As many bytes may still be read of a header. */
        private long left = Long.MAX_VALUE;

        /** Begins, and goes on after an end; false at that of the file. */
        boolean begin() throws IOException {
            DamagedException met = damage;
            damage = null;
            isEnded = false;
            offset = -1;
            if (met != null) {
                throw met;
            }
            if (from == to && !fill()) {
                return false;
            }
            offset = in.offset();
            if (chunk[from] == 0x1f || chunk[from] == 0x28) {
                // jwarc would unpack it once more, and without a bound.
                throw new DamagedException(Skip.BROKEN, offset, "expected a record, found bytes that are packed twice");
            }
            return true;
        }

        /** After what is damaged, goes to the next gzip member; false if there is none. */
        boolean resume() throws IOException {
            if (isEnded) {
                return true;
            }
            from = to;
            return in.nextMember();
        }

        /** Reads on to the end of the gzip member, with its checksum. */
        void pass() throws IOException {
            while (in.isGzip() && !isEnded && fill()) {
                // up to its end
            }
        }

        @Override
        public int read(ByteBuffer into) throws IOException {
            if (isEnded || (from == to && !fill())) {
                return -1;
            }
            int count = Math.min(into.remaining(), to - from);
            into.put(chunk, from, count);
            from += count;
            given += count;
            left -= count;
            if (left < 0) {
                throw broken(Skip.BROKEN, "expected a header of at most " + HEADER_BYTES_MAX + " bytes, found more");
            }
            return count;
        }

        /** Reads more; false at an end, before which nothing is left. */
        private boolean fill() throws IOException {
            from = 0;
            to = 0;
            try {
                to = Math.max(0, in.read(chunk, 0, chunk.length));
            } catch (DamagedException e) {
                if (!in.isGzip() || offset < 0 || e.offset() == offset) {
                    throw e;
                }
                damage = e;
                isEnded = true;
            }
            if (to > 0 && in.isGzip() && offset >= 0 && in.offset() != offset) {
                isEnded = isArc || isRecordAt();
                offset = isEnded ? offset : in.offset();
            }
            return to > 0 && !isEnded;
        }

        private boolean isRecordAt() {
            int length = Math.min(to, RECORD.length);
            return Arrays.equals(chunk, 0, length, RECORD, 0, length);
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}
