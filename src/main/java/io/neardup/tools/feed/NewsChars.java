package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.engine.text.HtmlText;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import org.jspecify.annotations.Nullable;

/**
 * The characters of a feed, for a parser that has no bounds of its own: so many between two items, of a name, and of
 * an instruction. What is no UTF-8 is read as browsers do, and what XML does not allow is a space.
 */
final class NewsChars extends Reader {
    private static final int BUFFER_BYTES = 1 << 13;
    /** The most characters of a tag's name: the parser copies it anew every few of them. */
    private static final int NAME_LENGTH_MAX = 1 << 16;
    /** The most characters of an instruction, up to the next {@code >}: the parser takes them for attributes. */
    private static final int INSTRUCTION_LENGTH_MAX = 1 << 14;
    /** The most tags, comments and the like: the parser takes hundreds of bytes for each. */
    static final int TAGS_MAX = HtmlText.TAGS_MAX;

    private final InputStream in;
    private final CharsetDecoder decoder;
    private final ByteBuffer bytes = ByteBuffer.allocate(BUFFER_BYTES).flip();
    private boolean isEnded;
    private long charsRead;
    /** In characters. */
    private long itemStart;

    private int tags;
    private int nameLength;
    private int instructionLength;
    private char last;
    /** After the bytes that were read. */
    private @Nullable IOException damage;
    /** What ended the characters before their time. */
    private @Nullable IOException failure;

    /** @param said the encoding, if one is */
    NewsChars(InputStream in, @Nullable Charset said) {
        this.in = in;
        Charset charset = said == null ? UTF_8 : said;
        boolean isUtf8 = charset.equals(UTF_8);
        this.decoder = charset.newDecoder()
                .onMalformedInput(isUtf8 ? CodingErrorAction.REPORT : CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
    }

    /** At what cannot be read it ends, so that the parser gives out all that is before: see {@link #checkEnd}. */
    @Override
    public int read(char[] into, int from, int length) {
        CharBuffer chars = CharBuffer.wrap(into, from, length).slice();
        while (failure == null && chars.position() == 0 && !(isEnded && !bytes.hasRemaining())) {
            fill();
            CoderResult result = decoder.decode(bytes, chars, isEnded);
            for (int i = 0; result.isError() && i < result.length() && chars.hasRemaining(); i++) {
                chars.put(Charsets.fallback(bytes.get()));
            }
            if (result.isOverflow() && chars.position() == 0) {
                // Two chars come of the next bytes: the parser makes room.
                return 0;
            }
            if (isEnded && result.isUnderflow()) {
                break;
            }
        }
        failure = failure == null && chars.position() == 0 ? damage : failure;
        int count = 0;
        try {
            while (count < chars.position()) {
                into[from + count] = checked(into[from + count]);
                count++;
            }
        } catch (DamagedException e) {
            failure = e;
        }
        charsRead += count;
        if (charsRead - itemStart > NewsReader.ITEM_CHARS_MAX) {
            failure = tooLarge(
                    "expected at most " + NewsReader.ITEM_CHARS_MAX + " characters from item to item, found more");
        }
        return count == 0 ? -1 : count;
    }

    /** Where the characters have come to an end: whether there are more that cannot be read. */
    void checkEnd() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    private void fill() {
        if (!isEnded && bytes.remaining() < BUFFER_BYTES / 2) {
            bytes.compact();
            int count = -1;
            try {
                count = in.read(bytes.array(), bytes.position(), bytes.remaining());
            } catch (IOException e) {
                damage = e;
            }
            isEnded = count < 0;
            bytes.position(bytes.position() + Math.max(0, count));
            bytes.flip();
        }
    }

    private char checked(char c) throws DamagedException {
        boolean isNameStart = last == '<' && (c == '/' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'));
        boolean isNameEnd = c <= ' ' || c == '>' || c == '<';
        nameLength = isNameEnd ? 0 : isNameStart || nameLength > 0 ? nameLength + 1 : 0;
        if (nameLength > NAME_LENGTH_MAX) {
            throw tooLarge("expected names of tags of at most " + NAME_LENGTH_MAX + " characters, found a longer one");
        }
        boolean isInstructionStart = last == '<' && c == '?';
        instructionLength = c == '>' ? 0 : isInstructionStart || instructionLength > 0 ? instructionLength + 1 : 0;
        if (instructionLength > INSTRUCTION_LENGTH_MAX) {
            throw tooLarge("expected an instruction, <? to >, of at most " + INSTRUCTION_LENGTH_MAX
                    + " characters, found a longer one");
        }
        tags += c == '<' ? 1 : 0;
        if (tags > TAGS_MAX) {
            throw tooLarge("expected at most " + TAGS_MAX + " tags from item to item, found more");
        }
        last = c;
        boolean isIllegal = (c < ' ' && c != '\n' && c != '\r' && c != '\t') || c >= '\ufffe';
        return isIllegal ? ' ' : c;
    }

    private DamagedException tooLarge(String found) {
        return new DamagedException(Skip.TOO_LARGE, itemStart, found);
    }

    /** What lies before it is an item that is over. */
    void forget(long position) {
        itemStart = position;
        tags = 0;
    }

    @Override
    public void close() {
        // whoever opened the file does
    }
}
