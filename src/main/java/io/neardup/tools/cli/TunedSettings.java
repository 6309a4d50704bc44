package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.tools.analysis.ShingleFit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A proposal as settings, in the order in which they are explained.
 *
 * @param comment what they are for, one line
 * @param boilerplate that they exclude; where these are, is not among the values
 */
record TunedSettings(String comment, Map<String, String> values, Optional<BoilerplateShingles> boilerplate) {
    static final String COMMON = "neardup.boilerplate";
    static final String SHINGLE = "neardup.shingle";
    static final String THRESHOLD = "neardup.similarity.threshold";
    private static final String INDEX_SIZE = "neardup.index.size";
    private static final String BANDING = "neardup.banding";

    /** What is solved for the shingle and the threshold. */
    static final List<String> SOLVED = List.of("neardup.similarity.unrelated", BANDING);

    private static final String COMMON_ENDING = ".boilerplate.tsv";

    static TunedSettings of(ShingleFit fit, Optional<BoilerplateShingles> boilerplate, String comment) {
        Map<String, String> values = new LinkedHashMap<>();
        values.put(SHINGLE, fit.shingle());
        values.put(THRESHOLD, String.valueOf(fit.threshold()));
        values.put("neardup.similarity.unrelated", String.valueOf(fit.unrelatedSimilarity()));
        values.put(INDEX_SIZE, String.valueOf(fit.indexSize()));
        values.put(BANDING, fit.banding().bands() + "x" + fit.banding().rows());
        return new TunedSettings(comment, values, boilerplate);
    }

    /**
     * What was given, and boilerplate; no more is proposed where the convention is kept. An index is bound to what
     * it is made with, and the rest was solved for a sample that tells nothing.
     */
    TunedSettings given(boolean isSizeGiven) {
        NeardupConfig convention = NeardupConfig.of(new Settings());
        Map<String, String> given = new LinkedHashMap<>(without(Set.copyOf(SOLVED)).values);
        given.remove(SHINGLE, convention.shingling().spec());
        given.remove(THRESHOLD, String.valueOf(convention.threshold()));
        if (!isSizeGiven) {
            given.remove(INDEX_SIZE);
        }
        return new TunedSettings("The convention is kept: too little is known to leave it.", given, boilerplate);
    }

    /** The lines of a properties file; one more where boilerplate is left out that no value names. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        values.forEach((key, value) -> lines.add(key + "=" + value));
        if (values.isEmpty()) {
            lines.add("# No settings: the service keeps the convention without any.");
        }
        if (boilerplate.isPresent() && !values.containsKey(COMMON)) {
            lines.add("# These hold with " + COMMON
                    + "=FILE alone: tune --write SETTINGS and local --out DIR keep that file.");
        }
        return lines;
    }

    TunedSettings withoutCommon() {
        return new TunedSettings(comment, values, Optional.empty());
    }

    TunedSettings without(Set<String> keys) {
        Map<String, String> kept = new LinkedHashMap<>(values);
        kept.keySet().removeAll(keys);
        return new TunedSettings(comment, kept, boilerplate);
    }

    /** The file for the boilerplate beside one for the settings: its name without ending, and another ending. */
    private static Path commonBeside(Path file) {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        return file.resolveSibling((dot > 0 ? name.substring(0, dot) : name) + COMMON_ENDING);
    }

    /**
     * Makes sure that {@link #write} can write both files: to be asked before minutes are spent.
     *
     * @param input that is read, which neither must take the place of
     */
    static void checkWritable(String option, Path file, String input) throws IOException {
        OutputFile.checked(option, file, input);
        OutputFile.checked(option, commonBeside(file), input);
    }

    /** Writes a properties file, and beside it the boilerplate, replacing what is there. */
    void write(Path file) throws IOException {
        // The settings may be used from any folder.
        TunedSettings settings = withCommonIn(commonBeside(file.toAbsolutePath().normalize()));
        String text = "# " + comment + "\n" + String.join("\n", settings.lines()) + "\n";
        OutputFile.replaceText(file, out -> out.append(text));
    }

    /** Writes the boilerplate, if there is any; the values name its file then. */
    TunedSettings withCommonIn(Path file) throws IOException {
        if (boilerplate.isEmpty()) {
            return this;
        }
        OutputFile.replaceText(file, boilerplate.get()::write);
        Map<String, String> all = new LinkedHashMap<>(values);
        all.put(COMMON, file.toString());
        return new TunedSettings(comment, all, boilerplate);
    }
}
