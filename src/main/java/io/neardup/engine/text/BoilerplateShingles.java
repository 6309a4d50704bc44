package io.neardup.engine.text;

import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Shingles that say nothing about a text, as many unlike texts hold them: menus, forms of words, disclaimers. They are
 * left out of every set. A text of which fewer than {@link #LEFT_MIN} distinct ones would be left is kept whole.
 * Immutable, and shared by all threads.
 *
 * <p>Written as lines of text in UTF-8. The first tell what the shingles were counted with ({@link BoilerplateHeader}),
 * as {@code # key=value}. Each further line is a number of clusters that hold a shingle, a tab and its normalized text:
 * for {@code char:k} k characters, which may begin or end with a space; for words the tokens with a space between.
 * These lines are in the order of the bytes of the texts. Normalized texts have no line feeds and no tabs.
 *
 * <p>Texts are kept, packed, as their hashes depend on the secret seed of an index. A million shingles of nine letters
 * take less than 20 MB, the hashes of the latest seed included.
 */
public final class BoilerplateShingles {
    /** Version of the file and of the rule by which shingles are left out; an index is bound to it. */
    public static final int VERSION = 1;

    /** Distinct shingles of a text that must be left. */
    public static final int LEFT_MIN = 20;

    /** Shingles of a file at most; they would take 200 MB. */
    public static final int SIZE_MAX = 10_000_000;

    /** Chars of a shingle at most. */
    public static final int TEXT_LENGTH_MAX = 4096;

    private static final int FINGERPRINT_BYTES = 8;

    private final BoilerplateHeader header;
    private final PackedTexts texts;
    private final String fingerprint;
    private @Nullable SeededTable latest;

    private BoilerplateShingles(BoilerplateHeader header, PackedTexts texts, String fingerprint) {
        this.header = header;
        this.texts = texts;
        this.fingerprint = fingerprint;
    }

    private record SeededTable(long seed, BoilerplateTable table) {}

    /** Takes the shingles, one after the other. */
    @FunctionalInterface
    public interface Visitor<E extends Exception> {
        /**
         * Takes one.
         *
         * @param clusters that hold it
         */
        void visit(int clusters, String text) throws E;
    }

    /**
     * Reads the lines that {@link #write} writes.
     *
     * @throws IllegalArgumentException when they are others; the message names the line, what is expected there and
     *     what was found
     */
    public static BoilerplateShingles read(Reader lines) throws IOException {
        return new BoilerplateLines(lines).read();
    }

    /** Writes the lines, each with a line feed behind it. */
    public void write(Appendable to) throws IOException {
        header.write(to);
        this.<IOException>forEach((clusters, text) ->
                to.append(String.valueOf(clusters)).append('\t').append(text).append('\n'));
    }

    /** What the shingles were counted with. */
    public BoilerplateHeader header() {
        return header;
    }

    /**
     * How many distinct shingles of a text count.
     *
     * @param all its distinct shingles
     * @param common how many of them are common
     */
    public static int left(int all, int common) {
        return all - common < LEFT_MIN ? all : all - common;
    }

    /** The number of shingles, 0 or more. */
    public int size() {
        return texts.size();
    }

    /** Shows all shingles, in the order of the bytes of their texts. */
    public <E extends Exception> void forEach(Visitor<E> visitor) throws E {
        texts.<E>forEach((clusters, utf8, length) ->
                visitor.visit(clusters, new String(utf8, 0, length, StandardCharsets.UTF_8)));
    }

    /** 16 hexadecimal digits: the same for the same shingles, cut alike, and in practice for no others. */
    public String fingerprint() {
        return fingerprint;
    }

    /**
     * Makes sure that these fit texts.
     *
     * @throws IllegalArgumentException when the shingles were cut in another way than the texts are
     */
    void requireCutBy(ShingleSpec spec, LetterCase letterCase, StopWords stopWords) {
        String expected = BoilerplateHeader.cut(spec, letterCase, stopWords);
        if (!expected.equals(header.cut())) {
            throw new IllegalArgumentException("expected common shingles of " + expected + ", found those of "
                    + header.cut() + ": make them anew with these settings, tune FILE --boilerplate OUT");
        }
    }

    /**
     * A shingler that leaves these out. The hashes under a seed are found once, for all shinglers.
     *
     * @param whole a shingler that leaves out nothing, under this seed
     */
    Shingler filtering(Shingler whole, long seed) {
        return new FilteringShingler(whole, filter(seed));
    }

    /** A filter of hashes under a seed, for one thread. */
    BoilerplateFilter filter(long seed) {
        return new BoilerplateFilter(table(seed));
    }

    synchronized BoilerplateTable table(long seed) {
        SeededTable known = latest;
        if (known == null || known.seed != seed) {
            latest = null; // two would need twice the room
            known = new SeededTable(seed, filled(seed));
            latest = known;
        }
        return known.table;
    }

    private BoilerplateTable filled(long seed) {
        ShingleHash hash = new ShingleHash(header.spec(), seed);
        return BoilerplateTable.of(
                texts.size(), table -> texts.forEach((clusters, utf8, length) -> table.accept(hash.of(utf8, length))));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BoilerplateShingles that && fingerprint.equals(that.fingerprint);
    }

    @Override
    public int hashCode() {
        return fingerprint.hashCode();
    }

    @Override
    public String toString() {
        return size() + " common shingles " + fingerprint;
    }

    /** Takes shingles one after the other. Not thread-safe. */
    public static final class Builder implements AutoCloseable {
        private final BoilerplateHeader header;
        private final PackedTexts.Packer packer = new PackedTexts.Packer();
        private final MessageDigest digest = sha256();
        private byte[] last = new byte[0];

        public Builder(BoilerplateHeader header) {
            this.header = header;
            digest.update(("common shingles " + VERSION + ", " + header.cut()).getBytes(StandardCharsets.UTF_8));
        }

        /**
         * Takes a shingle.
         *
         * @param clusters that hold it, at least 1
         * @param text in the order of the bytes of UTF-8: behind those taken before
         * @throws IllegalArgumentException for a text that is no such shingle or comes out of order, and for more than
         *     {@link #SIZE_MAX}
         */
        public Builder add(int clusters, String text) {
            byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
            if (clusters < 1 || !isShingle(text)) {
                throw new IllegalArgumentException("a number of clusters from 1 on, a tab and a shingle of "
                        + header.spec() + " of at most " + TEXT_LENGTH_MAX + " chars");
            }
            if (Arrays.compareUnsigned(last, utf8) >= 0) {
                throw new IllegalArgumentException(
                        "a shingle behind the one before, in the order of their bytes (LC_ALL=C sort)");
            }
            if (packer.size() == SIZE_MAX) {
                throw new IllegalArgumentException(
                        "the end behind " + SIZE_MAX + " shingles (take out those that the fewest clusters hold)");
            }
            packer.add(clusters, utf8);
            digest.update((byte) '\n');
            digest.update(utf8);
            last = utf8;
            return this;
        }

        /** All shingles taken. To be called once. */
        public BoilerplateShingles build() {
            String fingerprint = HexFormat.of().formatHex(digest.digest(), 0, FINGERPRINT_BYTES);
            return new BoilerplateShingles(header, packer.finish(), fingerprint);
        }

        @Override
        public void close() {
            packer.close();
        }

        private boolean isShingle(String text) {
            return text.length() <= TEXT_LENGTH_MAX && header.spec().isShingle(text);
        }

        private static MessageDigest sha256() {
            try {
                return MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("Every Java platform has SHA-256", e);
            }
        }
    }
}
