package io.neardup.engine.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Boilerplate shingles made of sets of strings, and the rule by which they are left out, in the plainest way. */
public final class CommonSets {
    private static final Comparator<String> BY_BYTES =
            (a, b) -> Arrays.compareUnsigned(a.getBytes(UTF_8), b.getBytes(UTF_8));

    private CommonSets() {}

    /** Shingles that a text shorter than one is cut into are none of the spec's, so they are skipped. */
    public static BoilerplateShingles of(String spec, Collection<List<String>> shingles) {
        String between = between(spec);
        TreeSet<String> texts = new TreeSet<>(BY_BYTES);
        shingles.stream()
                .filter(units -> isShingle(spec, units))
                .map(units -> String.join(between, units))
                .forEach(texts::add);
        BoilerplateShingles.Builder builder = new BoilerplateShingles.Builder(header(spec));
        texts.forEach(text -> builder.add(3, text));
        return builder.build();
    }

    /** A file of shingles of a spec, which follow in order, each behind the number of its clusters and a tab. */
    public static String file(String spec, String... lines) {
        return "# version=1\n# shingle=" + spec + "\n# case=lower\n# documents=90\n# clusters=40\n# share=0.05\n"
                + Stream.of(lines).map(line -> line + "\n").collect(Collectors.joining());
    }

    /** A file of the words of a text, each in all clusters. */
    public static String fileOfWords(String text) {
        return file(
                "word:1",
                Stream.of(text.split(" "))
                        .distinct()
                        .sorted()
                        .map(word -> "40\t" + word)
                        .toArray(String[]::new));
    }

    /** Whether units are a shingle of the spec, and not a whole text that is shorter than one. */
    public static boolean isShingle(String spec, List<String> units) {
        return ShingleSpec.of(spec).isShingle(String.join(between(spec), units));
    }

    private static String between(String spec) {
        return spec.startsWith("char") ? "" : " ";
    }

    static BoilerplateHeader header(String spec) {
        return BoilerplateHeader.of(new Shingling(LetterCase.LOWER, spec), 90, 40, 2, 0.05);
    }

    /** The set of a text's shingles that count. */
    public static Set<List<String>> left(String spec, String text, Set<List<String>> common) {
        Set<List<String>> all = new HashSet<>(NaiveShingles.of(spec, text));
        Set<List<String>> left = new HashSet<>(all);
        left.removeAll(common);
        return left.size() < BoilerplateShingles.LEFT_MIN ? all : left;
    }
}
