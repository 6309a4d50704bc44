package io.neardup.cli;

import io.neardup.analysis.AnalysisProgress;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.local.InputFiles;
import io.neardup.local.ResultFiles;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tunes on the files of a local run before it begins. What it writes for the run alone is deleted at the end. */
final class TunedRun implements Closeable {
    private static final String ORIGIN = "--tune";

    private final SettingsOptions options;
    private final List<String> files;
    private final Optional<Path> out;
    private final RereadInput input;
    private final TuneRun run;
    private @Nullable Path temporary;
    private List<String> lines = List.of();

    /**
     * Nothing is read yet.
     *
     * @param out folder of the results, if there are to be any
     * @throws IllegalArgumentException for settings that nothing can be proposed under
     */
    TunedRun(SettingsOptions options, List<String> files, InputStream standardInput, Optional<Path> out) {
        this.options = options;
        this.files = files;
        this.out = out;
        this.input = new RereadInput(files, standardInput);
        Settings settings = options.settingsForOwnBroker();
        this.run = new TuneRun(input, Integer.MAX_VALUE, TuneRun.HASHES_MAX, settings);
        if (options.isPaired(TunedSettings.COMMON) && !options.isPaired(TunedSettings.SHINGLE)) {
            String shingle = NeardupConfig.of(settings).shingling().spec();
            throw new IllegalArgumentException("--set " + TunedSettings.COMMON + ": expected --set "
                    + TunedSettings.SHINGLE + "=" + shingle + " beside it, as the file fits that shingle alone and"
                    + " --tune may propose another, found none; or leave both to --tune");
        }
    }

    /**
     * The settings of the run.
     *
     * @throws IOException before anything is read, where the run could not read its input or write its results
     */
    Settings tune(AnalysisProgress progress) throws IOException {
        InputFiles.check(files, out);
        TuningReport report = run.report(progress);
        TunedSettings tuned = report.settings();
        boolean leavesOut = tuned.common().isPresent() && !options.isPaired(TunedSettings.SHINGLE);
        tuned = leavesOut ? tuned.withCommonIn(commonFile()) : tuned;
        lines = report.shortLines(tuned);
        // Common shingles of settings fit their shingle alone, which the proposal replaces.
        Set<String> replaced = options.isPaired(TunedSettings.SHINGLE) ? Set.of() : Set.of(TunedSettings.COMMON);
        return options.settingsForOwnBroker(replaced, fitting(tuned.values()), ORIGIN);
    }

    private Path commonFile() throws IOException {
        if (out.isPresent()) {
            return out.get().resolve(ResultFiles.COMMON);
        }
        Path file = Files.createTempFile("neardup-", ".common.tsv");
        temporary = file;
        return file;
    }

    /** Where another shingle or threshold is set over the proposal, what was solved for it does not fit. */
    private Map<String, String> fitting(Map<String, String> values) {
        Map<String, String> fitting = new LinkedHashMap<>(values);
        if (options.isPaired(TunedSettings.SHINGLE)) {
            fitting.remove(TunedSettings.COMMON);
        }
        if (options.isPaired(TunedSettings.SHINGLE) || options.isPaired(TunedSettings.THRESHOLD)) {
            fitting.keySet().removeAll(List.of("neardup.similarity.unrelated", "neardup.bands", "neardup.rows"));
        }
        return fitting;
    }

    /** What was found, in a few lines. */
    List<String> lines() {
        return lines;
    }

    /** What {@code -} stands for in the run. */
    InputStream standardInput() throws IOException {
        return input.standardInput();
    }

    @Override
    public void close() throws IOException {
        input.close();
        if (temporary != null) {
            Files.deleteIfExists(temporary);
        }
    }
}
