package io.neardup.config;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A file of UTF-8 that a setting names. */
final class NamedFile {
    private NamedFile() {}

    /** Makes something of the content of a file. */
    interface Format<T> {
        /**
         * Reads all of it.
         *
         * @throws IllegalArgumentException when the content is not as expected
         */
        T read(BufferedReader reader) throws IOException;
    }

    /**
     * What a file holds.
     *
     * @throws IllegalArgumentException when it cannot be read, or its content is not as expected
     */
    static <T> T read(String file, Format<T> format) {
        try (BufferedReader reader = Files.newBufferedReader(Path.of(file))) {
            return format.read(reader);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("expected a file, found none", e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("expected UTF-8, found other bytes", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("expected a readable file, found " + e, e);
        }
    }
}
