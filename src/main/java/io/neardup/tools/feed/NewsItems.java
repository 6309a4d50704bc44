package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the items of RSS and the entries of Atom in bytes: from the start tag to the end tag, without those in comments
 * and in CDATA. So a broken item takes none of the others with it, and no DTD is ever near an item that is parsed. The
 * encoding must have ASCII as one byte each. Not thread-safe.
 */
final class NewsItems {
    /** The most bytes of an item. */
    static final int ITEM_BYTES_MAX = 16 << 20;

    /** As much of what lies before the first item is kept. */
    private static final int HEAD_BYTES_MAX = 1 << 18;

    private static final int NAME_LENGTH_MAX = 64;
    private static final int BUFFER_LENGTH = 1 << 16;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_LENGTH];
    private int position;
    private int limit;
    private long bufferOffset;

    private final ByteArrayOutputStream head = new ByteArrayOutputStream();
    private final ByteArrayOutputStream item = new ByteArrayOutputStream();
    private boolean isInItem;
    private boolean isHeadOver;
    private boolean isTooLarge;
    private long itemOffset;
    private String itemName = "";
    /** A start tag that broke off the item before it. */
    private @Nullable Tag pending;

    /** A broken one, as far as it was not gone to what lies inside of it. */
    private String broken = "";

    private long brokenOffset;
    private int innerStart = -1;
    private boolean isInner;

    /** How an item ends. */
    enum End {
        CLOSED,
        /** By the end of the file, or the start of the next one. */
        CUT,
        TOO_LARGE,
        /** There was none any more. */
        NONE
    }

    @SuppressWarnings("ArrayRecordComponent") // compared by nobody
    private record Tag(String name, boolean isEnd, boolean isEmpty, long offset, byte[] bytes) {}

    NewsItems(InputStream in) {
        this.in = in;
    }

    /** What lies before the first item, once that was found. */
    byte[] head() {
        return head.toByteArray();
    }

    /** Of the item. */
    byte[] bytes() {
        return item.toByteArray();
    }

    /** Of the item's first byte. */
    long offset() {
        return itemOffset;
    }

    /** Goes to the next item, and to its end. */
    End advance() throws IOException {
        isInItem = false;
        isTooLarge = false;
        item.reset();
        isInner = innerStart >= 0;
        if (isInner) {
            return advanceInside();
        }
        Tag first = pending;
        pending = null;
        while (first == null || !isItem(first)) {
            first = tag();
            if (first == null) {
                return End.NONE;
            }
        }
        begin(first);
        return first.isEmpty ? end(End.CLOSED) : toEnd();
    }

    /**
     * Goes over the item once more, as it is broken: where CDATA or a comment of it does not end, others lie inside of
     * it. They come next, each from its start tag to its end tag or to the next of them. Within them nothing more is
     * looked for, so that it takes no longer than what is read.
     */
    void lookInside() {
        if (!isInner && !isTooLarge) {
            broken = item.toString(ISO_8859_1);
            brokenOffset = itemOffset;
            innerStart = innerStart(1);
        }
    }

    private End advanceInside() {
        int from = innerStart;
        innerStart = innerStart(from + 1);
        String one = broken.substring(from, innerStart < 0 ? broken.length() : innerStart);
        int end = one.indexOf("</" + itemName + ">");
        int length = end < 0 ? one.length() : end + itemName.length() + 3;
        itemOffset = brokenOffset + from;
        item.writeBytes(one.substring(0, length).getBytes(ISO_8859_1));
        return end < 0 ? End.CUT : End.CLOSED;
    }

    /** Where one begins inside of the broken one, or -1. */
    private int innerStart(int from) {
        Matcher start =
                Pattern.compile("<" + Pattern.quote(itemName) + "[\\s>]").matcher(broken);
        return start.find(from) ? start.start() : -1;
    }

    private void begin(Tag tag) {
        isHeadOver = true;
        isInItem = true;
        itemName = tag.name;
        itemOffset = tag.offset;
        item.writeBytes(tag.bytes);
    }

    private End toEnd() throws IOException {
        Tag tag = tag();
        while (tag != null) {
            if (tag.name.equals(itemName) && !tag.isEnd) {
                pending = tag;
                return end(End.CUT);
            }
            keep(tag.bytes);
            if (tag.name.equals(itemName)) {
                return end(End.CLOSED);
            }
            if (tag.isEnd && isContainer(tag.name)) {
                return end(End.CUT);
            }
            tag = tag();
        }
        return end(End.CUT);
    }

    private End end(End end) {
        isInItem = false;
        return isTooLarge ? End.TOO_LARGE : end;
    }

    private static boolean isItem(Tag tag) {
        return !tag.isEnd && (local(tag.name).equals("item") || local(tag.name).equals("entry"));
    }

    private static boolean isContainer(String name) {
        return local(name).equals("channel")
                || local(name).equals("rss")
                || local(name).equals("feed");
    }

    /** Without prefix. */
    static String local(String name) {
        return name.substring(name.indexOf(':') + 1).toLowerCase(Locale.ROOT);
    }

    /** The next tag, outside of comments, CDATA and declarations; null at the end. What lies before it is kept. */
    private @Nullable Tag tag() throws IOException {
        int next = read();
        while (next >= 0) {
            if (next != '<') {
                keep(next);
                next = read();
            } else {
                long offset = bufferOffset + position - 1;
                int second = read();
                if (second == '!' || second == '?') {
                    keep('<');
                    keep(second);
                    skipDeclaration(second);
                    next = read();
                } else if (second == '/' || isNameStart(second)) {
                    return tag(second, offset);
                } else {
                    keep('<');
                    next = second;
                }
            }
        }
        return null;
    }

    private Tag tag(int second, long offset) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write('<');
        StringBuilder name = new StringBuilder();
        boolean isEnd = second == '/';
        int next = isEnd ? keepIn(bytes, second) : second;
        while (next >= 0 && !isSpace(next) && next != '>' && next != '/' && name.length() < NAME_LENGTH_MAX) {
            name.append((char) next);
            next = keepIn(bytes, next);
        }
        int before = 0;
        int quote = 0;
        // No value has < in it, so that a quote too many takes nothing of what follows.
        while (next >= 0 && (next != '>' || quote != 0) && peek() != '<' && bytes.size() < HEAD_BYTES_MAX) {
            quote = next == quote ? 0 : quote == 0 && (next == '"' || next == '\'') ? next : quote;
            before = next;
            next = keepIn(bytes, next);
        }
        bytes.write(Math.max(' ', next));
        Tag tag = new Tag(name.toString(), isEnd, before == '/', offset, bytes.toByteArray());
        if (!isInItem && !isItem(tag)) {
            keep(tag.bytes);
        }
        return tag;
    }

    /** Keeps one, and reads the next. */
    private int keepIn(ByteArrayOutputStream bytes, int kept) throws IOException {
        bytes.write(kept);
        return read();
    }

    /** Up to the end of a comment, of CDATA, of a declaration or of an instruction. */
    private void skipDeclaration(int second) throws IOException {
        String start = second == '?' ? "?" : declarationStart();
        String end = start.equals("--") ? "-->" : start.equals("[CDATA[") ? "]]>" : start.equals("?") ? "?>" : ">";
        int matched = 0;
        int depth = 0;
        int next = 0;
        while (next >= 0 && matched < end.length()) {
            next = read();
            keep(next);
            if (end.length() == 1) {
                // A DTD inside of a document type has brackets around it.
                depth += next == '[' ? 1 : next == ']' ? -1 : 0;
                matched = next == '>' && depth <= 0 ? 1 : 0;
            } else if (next == end.charAt(matched)) {
                matched++;
            } else if (!(matched == 2 && next == end.charAt(0))) {
                // Of ]]]> the last two count.
                matched = next == end.charAt(0) ? 1 : 0;
            }
        }
    }

    /** The signs behind {@code <!} as far as they may begin a comment or CDATA. */
    private String declarationStart() throws IOException {
        StringBuilder start = new StringBuilder();
        for (String whole : new String[] {"--", "[CDATA["}) {
            while (whole.startsWith(start.toString())
                    && start.length() < whole.length()
                    && peek() == whole.charAt(start.length())) {
                start.append((char) peek());
                keep(read());
            }
            if (start.toString().equals(whole)) {
                return whole;
            }
        }
        return "";
    }

    private void keep(byte[] bytes) {
        if (isInItem) {
            isTooLarge |= item.size() + bytes.length > ITEM_BYTES_MAX;
            if (!isTooLarge) {
                item.writeBytes(bytes);
            }
        } else if (!isHeadOver && head.size() < HEAD_BYTES_MAX) {
            head.writeBytes(bytes);
        }
    }

    private void keep(int next) {
        if (next < 0) {
            return;
        }
        if (isInItem) {
            isTooLarge |= item.size() >= ITEM_BYTES_MAX;
            if (!isTooLarge) {
                item.write(next);
            }
        } else if (!isHeadOver && head.size() < HEAD_BYTES_MAX) {
            head.write(next);
        }
    }

    private static boolean isSpace(int next) {
        return next == ' ' || next == '\n' || next == '\r' || next == '\t';
    }

    private static boolean isNameStart(int next) {
        return ((next | 0x20) >= 'a' && (next | 0x20) <= 'z') || next == '_';
    }

    private int read() throws IOException {
        int next = peek();
        position += next < 0 ? 0 : 1;
        return next;
    }

    private int peek() throws IOException {
        if (position == limit) {
            bufferOffset += limit;
            position = 0;
            limit = Math.max(0, in.read(buffer, 0, BUFFER_LENGTH));
        }
        return position < limit ? buffer[position] & 0xff : -1;
    }
}
