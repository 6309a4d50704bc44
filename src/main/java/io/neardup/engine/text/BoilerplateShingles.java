package io.neardup.engine.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.Arrays;
import java.util.function.ObjIntConsumer;
import java.util.function.ToLongFunction;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Shingles that say nothing about a text, as many unlike texts hold them: menus, forms of words, disclaimers. They are
 * excluded from every set. A text of which fewer than {@link #LEFT_MIN} distinct ones would be left is kept whole.
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
    /** Version of the file and of the rule by which shingles are excluded; an index is bound to it. */
    public static final int VERSION = 1;

    /** Distinct shingles of a text that must be left. */
    public static final int LEFT_MIN = 20;

    /** Shingles of a file at most; they would take 200 MB. */
    public static final int SIZE_MAX = 10_000_000;

    /** Chars of a shingle at most. */
    public static final int TEXT_LENGTH_MAX = 4096;

    private final BoilerplateHeader header;
    /** The lines behind the header, deflated: they are needed only now and then. */
    private final byte[] packed;

    private final int size;
    private final String fingerprint;
    private @Nullable SeededTable latest;

    private BoilerplateShingles(BoilerplateHeader header, byte[] packed, int size, String fingerprint) {
        this.header = header;
        this.packed = packed;
        this.size = size;
        this.fingerprint = fingerprint;
    }

    private record SeededTable(long seed, BoilerplateTable table) {}

    /**
     * Reads the lines that {@link #write} writes.
     *
     * @throws IllegalArgumentException when they are others; the message names the line, what is expected there and
     *     what was found
     */
    public static BoilerplateShingles read(Reader reader) throws IOException {
        TableLines lines = new TableLines("Boilerplate shingles", reader, TEXT_LENGTH_MAX + 16);
        Builder builder = new Builder(BoilerplateHeader.read(lines));
        for (String line = lines.line(); line != null; line = lines.next()) {
            int tab = line.indexOf('\t');
            try {
                int clusters = TableLines.count(line.substring(0, Math.max(tab, 0)), Integer.MAX_VALUE);
                builder.add(clusters, line.substring(tab + 1));
            } catch (IllegalArgumentException e) {
                throw lines.wrong(String.valueOf(e.getMessage()));
            }
        }
        return builder.build();
    }

    /** Writes the lines, each with a line feed behind it. */
    public void write(Appendable to) throws IOException {
        header.write(to);
        try (BufferedReader lines = lines()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                to.append(line).append('\n');
            }
        }
    }

    private BufferedReader lines() {
        return new BufferedReader(
                new InputStreamReader(new InflaterInputStream(new ByteArrayInputStream(packed)), UTF_8));
    }

    /** How many distinct shingles of a text count, of all that it has, of which some are boilerplate. */
    public static int left(int all, int boilerplate) {
        return all - boilerplate < LEFT_MIN ? all : all - boilerplate;
    }

    public int size() {
        return size;
    }

    /** Shows all shingles, in the order of the bytes of their texts, each with the number of clusters that hold it. */
    public void forEach(ObjIntConsumer<String> visitor) {
        try (BufferedReader lines = lines()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int tab = line.indexOf('\t');
                visitor.accept(line.substring(tab + 1), Integer.parseInt(line, 0, tab, 10));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Shingles in memory", e);
        }
    }

    /** 16 hexadecimal digits: the same for the same shingles, cut alike, and in practice for no others. */
    public String fingerprint() {
        return fingerprint;
    }

    /** @throws IllegalArgumentException when the shingles were cut in another way than texts are by these */
    void requireCutBy(ShingleSpec spec, LetterCase letterCase, StopWords stopWords) {
        String expected = BoilerplateHeader.cut(spec, letterCase, stopWords);
        if (!expected.equals(header.cut())) {
            throw new IllegalArgumentException("expected boilerplate shingles of " + expected + ", found those of "
                    + header.cut() + ": make them anew with these settings, tune boilerplate FILE --write OUT");
        }
    }

    /** A filter of hashes under a seed, for one thread. The hashes are found once, for all filters. */
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

    /**
     * Shingles that stand alone hash as the shinglers hash them within a text; what begins with a stop word as words
     * do. The loops of the shinglers are for long texts: a million texts of one shingle teach the JIT compiler that
     * their loops end at once, and then long texts take twice the time as long as the process lives.
     */
    private BoilerplateTable filled(long seed) {
        boolean areCharacters = header.spec().kind() == ShingleSpec.Kind.CHAR;
        KeyedHash hash = areCharacters ? new KeyedHash(seed) : Tokens.hashing(seed);
        Tokens tokens = Tokens.asWritten(hash);
        ToLongFunction<String> lone = areCharacters ? hash::whole : tokens::run;
        return BoilerplateTable.of(size, table -> forEach((text, clusters) -> table.accept(lone.applyAsLong(text))));
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
        return size() + " boilerplate shingles " + fingerprint;
    }

    /** Takes shingles one after the other. Not thread-safe. */
    public static final class Builder {
        private final BoilerplateHeader header;
        private final ByteArrayOutputStream packed = new ByteArrayOutputStream();
        private final Writer lines = new OutputStreamWriter(new DeflaterOutputStream(packed), UTF_8);
        private final Hash128 hash = new Hash128();
        private byte[] last = new byte[0];
        private int size;

        public Builder(BoilerplateHeader header) {
            this.header = header;
            hash.add("common shingles " + VERSION + ", " + header.cut());
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
            byte[] utf8 = text.getBytes(UTF_8);
            if (clusters < 1
                    || text.length() > TEXT_LENGTH_MAX
                    || !header.spec().isShingle(text)) {
                throw new IllegalArgumentException("a number of clusters from 1 on, a tab and a shingle of "
                        + header.spec() + " of at most " + TEXT_LENGTH_MAX + " chars");
            }
            if (Arrays.compareUnsigned(last, utf8) >= 0) {
                throw new IllegalArgumentException(
                        "a shingle behind the one before, in the order of their bytes (LC_ALL=C sort)");
            }
            if (size == SIZE_MAX) {
                throw new IllegalArgumentException(
                        "the end behind " + SIZE_MAX + " shingles (take out those that the fewest clusters hold)");
            }
            try {
                lines.write(clusters + "\t" + text + "\n");
            } catch (IOException e) {
                throw new UncheckedIOException("Shingles in memory", e);
            }
            hash.add("\n" + text);
            last = utf8;
            size++;
            return this;
        }

        /** All shingles taken. To be called once. */
        public BoilerplateShingles build() {
            try {
                lines.close();
            } catch (IOException e) {
                throw new UncheckedIOException("Shingles in memory", e);
            }
            return new BoilerplateShingles(header, packed.toByteArray(), size, hash.fingerprint());
        }
    }
}
