package io.neardup.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.BandingSolver;
import io.neardup.engine.similarity.DocumentFrequencies;
import io.neardup.engine.similarity.EqualityFamily;
import io.neardup.engine.similarity.Family;
import io.neardup.engine.similarity.Measure;
import io.neardup.engine.similarity.MinHashFamily;
import io.neardup.engine.similarity.SimHashFamily;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.engine.text.Shingling;
import io.neardup.engine.text.StopWords;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes what documents are compared by: the cut into shingles, the family of hash functions and the banding. The values
 * of the settings are right one by one; each method throws an {@link IllegalArgumentException} for people where they do
 * not go together, or a file or class that they name is not as expected.
 */
final class Families {
    static final String MINHASH = "minhash";
    private static final String SIMHASH = "simhash";

    /** Those that the service brings. */
    static final List<String> SIGNATURES = List.of(MINHASH, SIMHASH, "textprofile", "exact", "exact-bytes");

    /** Those of them that compare shingles, and can be verified by the texts of originals. */
    static final List<String> OF_SHINGLES = List.of(MINHASH, SIMHASH);

    private static final String COMMENT = "#";
    /** Some editors begin a file of UTF-8 with it. */
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private Families() {}

    /** How texts are cut, without boilerplate if a file of it is given. */
    static Shingling shingling(SettingValues values, StopWords stopWords) {
        int shinglesMax = Math.max(Limits.SHINGLES_MAX, values.get(Keys.DOCUMENT_BYTES_MAX));
        Shingling cut = new Shingling(values.get(Keys.LETTER_CASE), values.get(Keys.SHINGLE), stopWords, shinglesMax);
        Optional<String> file = values.find(Keys.BOILERPLATE);
        if (file.isEmpty()) {
            return cut;
        }
        String signature = values.get(Keys.SIGNATURE);
        if (!OF_SHINGLES.contains(signature)) {
            throw new IllegalArgumentException("expected only where shingles are compared, with "
                    + Keys.SIGNATURE.name() + "=minhash or simhash, found with " + signature);
        }
        return cut.without(read(file.get(), BoilerplateShingles::read));
    }

    /**
     * The family of {@code neardup.signature}.
     *
     * @param options of a class that is named, without {@code neardup.family.}
     */
    static Family of(SettingValues values, Shingling shingling, Map<String, String> options) {
        String signature = values.get(Keys.SIGNATURE);
        if (!signature.equals(MINHASH) && values.is(Keys.MEASURE, Measure.CONTAINMENT)) {
            throw new IllegalArgumentException(
                    Keys.MEASURE.name() + " = containment: expected only with minhash, found with " + signature);
        }
        if (!signature.equals(SIMHASH) && values.has(Keys.SIMHASH_FREQUENCIES)) {
            throw new IllegalArgumentException(
                    Keys.SIMHASH_FREQUENCIES.name() + ": expected only with simhash, found with " + signature);
        }
        if (!SIGNATURES.contains(signature)) {
            return load(signature, options);
        }
        if (!options.isEmpty()) {
            throw new IllegalArgumentException(Keys.FAMILY_PREFIX
                    + options.keySet().iterator().next() + ": expected only where " + Keys.SIGNATURE.name()
                    + " names a class, found with " + signature);
        }
        return switch (signature) {
            case MINHASH -> new MinHashFamily(shingling, values.get(Keys.MEASURE), values.get(Keys.VERIFY));
            case SIMHASH -> simHash(values, shingling);
            case "textprofile" -> EqualityFamily.ofProfile();
            case "exact" -> EqualityFamily.ofNormalizedText(shingling.letterCase());
            case "exact-bytes" -> EqualityFamily.ofBytes();
            default -> throw new IllegalStateException(signature);
        };
    }

    private static Family simHash(SettingValues values, Shingling shingling) {
        Optional<String> file = values.find(Keys.SIMHASH_FREQUENCIES);
        if (file.isEmpty()) {
            return new SimHashFamily(shingling, null, values.get(Keys.VERIFY));
        }
        try {
            DocumentFrequencies frequencies = read(file.get(), DocumentFrequencies::read);
            return new SimHashFamily(shingling, frequencies, values.get(Keys.VERIFY));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    Keys.SIMHASH_FREQUENCIES.name() + " = " + file.get() + ": " + e.getMessage(), e);
        }
    }

    private static Family load(String name, Map<String, String> options) {
        try {
            Class<? extends Family> type = Class.forName(name).asSubclass(Family.class);
            Constructor<? extends Family> constructor = type.getConstructor(Map.class);
            return checked(constructor.newInstance(options));
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "class " + name + ": " + e.getTargetException().getMessage(), e);
        } catch (ReflectiveOperationException | ClassCastException e) {
            throw new IllegalArgumentException(
                    "class " + name + ": expected on the class path a public class that implements "
                            + Family.class.getName() + ", with a public constructor that takes a Map, found " + e
                            + "; start with java -cp neardup.jar:yours.jar io.neardup.tools.cli.Main",
                    e);
        }
    }

    private static Family checked(Family family) {
        if (family.valuesMax() < 1
                || !(family.defaultThreshold() > 0 && family.defaultThreshold() <= 1)
                || !(family.defaultUnrelated() >= 0 && family.defaultUnrelated() < family.defaultThreshold())) {
            throw new IllegalArgumentException("class " + family.getClass().getName()
                    + ": expected valuesMax() of at least 1, defaultThreshold() above 0 and at most 1, and"
                    + " defaultUnrelated() from 0 to below it, found "
                    + family.valuesMax() + ", " + family.defaultThreshold() + " and " + family.defaultUnrelated());
        }
        return family;
    }

    /** The given bands and rows, or those of the fewest values that reach the targets. */
    static Banding banding(SettingValues values, Family family) {
        Optional<Banding> given = values.find(Keys.BANDING);
        if (given.isPresent()) {
            return given.get();
        }
        if (family.valuesMax() == 1) {
            return new Banding(1, 1);
        }
        double threshold = values.get(Keys.THRESHOLD);
        double recall = values.get(Keys.RECALL);
        double unrelated = family.agreement(values.get(Keys.UNRELATED));
        double agreement = family.agreement(threshold);
        double most = new Banding(family.valuesMax(), 1).probability(agreement);
        if (agreement <= unrelated) {
            throw new IllegalArgumentException("expected documents at the threshold " + threshold
                    + " to agree on more values of a signature than those at " + Keys.UNRELATED.name() + " = "
                    + values.get(Keys.UNRELATED)
                    + " do, found no more: set another threshold, or other options of the family");
        }
        if (most < recall) {
            throw new IllegalArgumentException("recall " + recall + " at threshold " + threshold
                    + " cannot be reached with " + family.valuesMax()
                    + " values of a signature: expected a recall of at most " + Math.floor(most * 1e4) / 1e4
                    + ", or a higher threshold");
        }
        return BandingSolver.solve(agreement, recall, values.get(Keys.INDEX_SIZE), unrelated, family.valuesMax());
    }

    static StopWords stopWords(String value) {
        return namesFile(value) ? read(value, Families::stopWordsOfLines) : StopWords.of(languages(value));
    }

    private static StopWords stopWordsOfLines(BufferedReader reader) throws IOException {
        List<String> words = new ArrayList<>();
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            String word = line.replace(BYTE_ORDER_MARK, "");
            if (!word.startsWith(COMMENT) && !word.isBlank()) {
                words.add(word);
            }
        }
        return StopWords.of(words);
    }

    static boolean namesFile(String stopWords) {
        return stopWords.contains("/") || stopWords.contains(".");
    }

    static String[] languages(String stopWords) {
        return stopWords.split("\\s*,\\s*", -1);
    }

    interface Format<T> {
        /**
         * Reads all of it.
         *
         * @throws IllegalArgumentException when the content is not as expected
         */
        T read(BufferedReader reader) throws IOException;
    }

    /** What a file of UTF-8 holds. */
    static <T> T read(String file, Format<T> format) {
        try (BufferedReader reader = Files.newBufferedReader(Path.of(file), UTF_8)) {
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
