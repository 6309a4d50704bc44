package io.neardup.config;

import io.neardup.family.Family;
import io.neardup.family.MinHashFamily;
import io.neardup.sketch.Measure;
import io.neardup.sketch.Verification;
import io.neardup.text.LetterCase;
import io.neardup.text.Shingling;
import io.neardup.text.StopWords;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

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
        String signature = text(values, Keys.SIGNATURE);
        if (signature.indexOf('.') >= 0) {
            return load(signature, options);
        }
        if (!options.isEmpty()) {
            throw new IllegalArgumentException(
                    "neardup.family." + options.keySet().iterator().next()
                            + ": expected only where neardup.signature names a class, found with " + signature);
        }
        return switch (signature) {
            case "minhash" ->
                new MinHashFamily(
                        shingling,
                        constant(values, Measure.class, Keys.MEASURE),
                        constant(values, Verification.class, Keys.VERIFY));
            default -> throw new IllegalArgumentException("no family " + signature);
        };
    }

    static Shingling shingling(Map<String, Object> values, StopWords stopWords) {
        return new Shingling(
                constant(values, LetterCase.class, Keys.LETTER_CASE), text(values, Keys.SHINGLE), stopWords);
    }

    private static Family load(String name, Map<String, String> options) {
        try {
            Class<? extends Family> type = Class.forName(name).asSubclass(Family.class);
            Constructor<? extends Family> constructor = type.getConstructor(Map.class);
            return constructor.newInstance(options);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("class " + name + ": expected on the class path, found nothing", e);
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

    private static String text(Map<String, Object> values, String key) {
        return (String) Objects.requireNonNull(values.get(key), key);
    }

    private static <E extends Enum<E>> E constant(Map<String, Object> values, Class<E> kind, String key) {
        return Enum.valueOf(kind, text(values, key).toUpperCase(Locale.ROOT));
    }
}
