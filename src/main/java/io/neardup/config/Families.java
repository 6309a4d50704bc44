package io.neardup.config;

import io.neardup.engine.similarity.DocumentFrequencies;
import io.neardup.engine.similarity.ExactFamily;
import io.neardup.engine.similarity.Family;
import io.neardup.engine.similarity.Measure;
import io.neardup.engine.similarity.MinHashFamily;
import io.neardup.engine.similarity.SimHashFamily;
import io.neardup.engine.similarity.TermWeights;
import io.neardup.engine.similarity.TextProfile;
import io.neardup.engine.similarity.TextProfileFamily;
import io.neardup.engine.similarity.Verification;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.Shingling;
import io.neardup.engine.text.StopWords;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Makes the family of hash functions that settings name; their values are checked one by one. */
final class Families {
    private Families() {}

    /**
     * The family of {@code neardup.signature}.
     *
     * @param options of a class that is named, without {@code neardup.family.}
     * @throws IllegalArgumentException when the settings do not go together, or the class is not there or no family
     */
    static Family of(Map<String, Object> values, Shingling shingling, Map<String, String> options) {
        SignatureKind signature = (SignatureKind) value(values, Keys.SIGNATURE);
        if (signature instanceof SignatureKind.OfClass named) {
            return load(named.name(), options);
        }
        if (!options.isEmpty()) {
            throw new IllegalArgumentException(
                    "neardup.family." + options.keySet().iterator().next()
                            + ": expected only where neardup.signature names a class, found with " + signature);
        }
        if (signature != SignatureKind.Brought.MINHASH && measure(values) == Measure.CONTAINMENT) {
            throw new IllegalArgumentException(
                    Keys.MEASURE + " = containment: expected only with minhash, found with " + signature);
        }
        return of((SignatureKind.Brought) signature, values, shingling);
    }

    private static Family of(SignatureKind.Brought kind, Map<String, Object> values, Shingling shingling) {
        return switch (kind) {
            case MINHASH -> new MinHashFamily(shingling, measure(values), verification(values));
            case SIMHASH ->
                new SimHashFamily(
                        shingling,
                        (int) value(values, Keys.SIMHASH_BITS),
                        (TermWeights) value(values, Keys.SIMHASH_WEIGHTS),
                        frequencies(values),
                        verification(values));
            case TEXTPROFILE ->
                new TextProfileFamily(new TextProfile(
                        (int) value(values, Keys.TEXTPROFILE_TOKEN_MIN),
                        ((Double) value(values, Keys.TEXTPROFILE_QUANTISATION)).floatValue(),
                        (TextProfile.Order) value(values, Keys.TEXTPROFILE_ORDER)));
            case EXACT -> new ExactFamily((ExactFamily.Form) value(values, Keys.EXACT_TEXT), shingling.letterCase());
        };
    }

    static Shingling shingling(Map<String, Object> values, StopWords stopWords) {
        return new Shingling((LetterCase) value(values, Keys.LETTER_CASE), text(values, Keys.SHINGLE), stopWords, (int)
                value(values, Keys.SHINGLES_MAX));
    }

    private static @Nullable DocumentFrequencies frequencies(Map<String, Object> values) {
        String file = (String) values.get(Keys.SIMHASH_FREQUENCIES);
        boolean needed = value(values, Keys.SIMHASH_WEIGHTS) == TermWeights.TF_IDF;
        if (needed && file == null) {
            throw new IllegalArgumentException(Keys.SIMHASH_FREQUENCIES
                    + ": expected the file that tune FILE --frequencies writes, as the weights are tf-idf; found none");
        }
        if (file == null) {
            return null;
        }
        try {
            return NamedFile.read(file, DocumentFrequencies::read);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(Keys.SIMHASH_FREQUENCIES + " = " + file + ": " + e.getMessage(), e);
        }
    }

    private static Family load(String name, Map<String, String> options) {
        try {
            Class<? extends Family> type = Class.forName(name).asSubclass(Family.class);
            Constructor<? extends Family> constructor = type.getConstructor(Map.class);
            return checked(constructor.newInstance(options));
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(
                    "class " + name + ": expected on the class path, found nothing: start with"
                            + " java -cp neardup.jar:yours.jar io.neardup.tools.cli.Main",
                    e);
        } catch (ClassCastException e) {
            throw new IllegalArgumentException(
                    "class " + name + ": expected one that implements " + Family.class.getName(), e);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "class " + name + ": " + e.getTargetException().getMessage(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    "class " + name
                            + ": expected a public class with a public constructor that takes a Map, found none",
                    e);
        }
    }

    private static Family checked(Family family) {
        if (family.valuesMax() < 1
                || !(family.usualThreshold() > 0 && family.usualThreshold() <= 1)
                || !(family.usualUnrelated() >= 0 && family.usualUnrelated() < family.usualThreshold())) {
            throw new IllegalArgumentException("class " + family.getClass().getName()
                    + ": expected at least 1 value, a usual threshold above 0 to 1 and unrelated documents below it,"
                    + " found "
                    + family.valuesMax() + ", " + family.usualThreshold() + " and " + family.usualUnrelated());
        }
        return family;
    }

    private static Verification verification(Map<String, Object> values) {
        return (Verification) value(values, Keys.VERIFY);
    }

    private static Measure measure(Map<String, Object> values) {
        return (Measure) value(values, Keys.MEASURE);
    }

    private static String text(Map<String, Object> values, String key) {
        return (String) value(values, key);
    }

    private static Object value(Map<String, Object> values, String key) {
        return Objects.requireNonNull(values.get(key), key);
    }
}
