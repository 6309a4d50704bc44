package io.neardup.tools.analysis;

import io.neardup.tools.feed.UnusableFileException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file of text that people have written. */
public final class TextFile {
    /** Some editors begin a file of UTF-8 with it. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private TextFile() {}

    /**
     * All of its text, without a byte order mark.
     *
     * @throws UnusableFileException that names the file, and says what it should be
     */
    public static String read(Path file) throws IOException {
        try {
            String text = Files.readString(file);
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text;
        } catch (NoSuchFileException missing) {
            throw UnusableFileException.missing(file);
        } catch (CharacterCodingException e) {
            throw new UnusableFileException(file + ": expected a text in UTF-8, found other bytes", e);
        } catch (IOException e) {
            throw new UnusableFileException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }
}
