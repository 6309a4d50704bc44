package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import org.jspecify.annotations.Nullable;

/** Decodes bytes whose encoding is not certain. */
final class Charsets {
    /** What browsers take for text that is not what it says. */
    static final Charset FALLBACK = Charset.forName("windows-1252");

    private Charsets() {}

    /** The encoding of a name, or null if there is none of it. */
    static @Nullable Charset of(@Nullable String name) {
        if (name == null) {
            return null;
        }
        try {
            return Charset.forName(name.strip());
        } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
            return null;
        }
    }

    /** As {@link #of}, of a name that was read as ASCII: so it is none of UTF-16 and UTF-32, whatever it says. */
    static @Nullable Charset ofBytes(String name) {
        Charset found = of(name);
        return found == null || found.name().matches("(X-)?UTF-(16|32).*") ? null : found;
    }

    /** Decodes what is said to be of an encoding; where it is not said, or not UTF-8 against it, by the fallback. */
    static String decode(byte[] bytes, @Nullable Charset said) {
        if (said != null && !said.equals(UTF_8)) {
            return new String(bytes, said);
        }
        return isUtf8(bytes) ? new String(bytes, UTF_8) : new String(bytes, FALLBACK);
    }

    static boolean isUtf8(byte[] bytes) {
        try {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }
}
