package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.tools.analysis.TuningTargets;
import io.neardup.tools.feed.Feed;
import io.neardup.tools.feed.Progress;
import io.neardup.tools.local.ResultFiles;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Tunes on the files of a local run before it begins. What it writes for the run alone is deleted at the end. */
final class TunedRun implements Closeable {
    private static final String ORIGIN = "--tune";

    private final SettingsOptions options;
    private final List<String> files;
    private final Optional<Path> out;
    private final RereadInput input;
    private @Nullable Path temporary;
    private List<String> lines = List.of();

    /** @throws IllegalArgumentException for settings that nothing can be proposed under; nothing is read yet */
    TunedRun(SettingsOptions options, List<String> files, InputStream standardInput, Optional<Path> out) {
        this.options = options;
        this.files = files;
        this.out = out;
        this.input = new RereadInput(files, standardInput);
        Settings settings = options.settingsForOwnBroker();
        String shingle = ToolCommand.comparingShingles("local --tune", NeardupConfig.of(settings))
                .shingling()
                .spec();
        if (options.isPaired(TunedSettings.COMMON) && !options.isPaired(TunedSettings.SHINGLE)) {
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
    Settings tune(Progress progress) throws IOException {
        Settings settings = options.settingsForOwnBroker();
        NeardupConfig config = NeardupConfig.of(settings);
        Feed.check(files, Feed.Kind.of(config));
        if (out.isPresent()) {
            ResultFiles.prepare(out.get(), files);
        }
        TuningTargets targets = TuningTargets.of(settings, config, TuningReport.HASHES_MAX);
        TuningReport report = TuningReport.of(input, config, targets, Integer.MAX_VALUE, progress);
        TunedSettings proposed = report.settings();
        Set<String> setOver = new TreeSet<>(proposed.values().keySet());
        setOver.removeIf(key -> !options.isPaired(key));
        TunedSettings tuned = proposed.without(unfit(setOver));
        if (setOver.contains(TunedSettings.SHINGLE)) {
            tuned = tuned.withoutCommon();
        } else if (tuned.boilerplate().isPresent()) {
            tuned = tuned.withCommonIn(commonFile());
        }
        lines = lines(report, tuned, setOver);
        // Boilerplate of the settings fits its shingle alone, which the proposal replaces.
        Set<String> replaced = options.isPaired(TunedSettings.SHINGLE) ? Set.of() : Set.of(TunedSettings.COMMON);
        return options.settingsForOwnBroker(replaced, tuned.values(), ORIGIN);
    }

    private Path commonFile() throws IOException {
        if (out.isPresent()) {
            return out.get().resolve(ResultFiles.COMMON);
        }
        Path file = Files.createTempFile("neardup-", ".boilerplate.tsv");
        file.toFile().deleteOnExit();
        temporary = file;
        return file;
    }

    /** What was solved for a shingle and a threshold does not fit others. */
    private Set<String> unfit(Set<String> setOver) {
        Set<String> unfit = new HashSet<>(setOver);
        if (setOver.contains(TunedSettings.SHINGLE) || setOver.contains(TunedSettings.THRESHOLD)) {
            unfit.addAll(TunedSettings.SOLVED);
        }
        return unfit;
    }

    private List<String> lines(TuningReport report, TunedSettings tuned, Set<String> setOver) {
        List<String> all = new ArrayList<>(report.finding());
        // Without a folder of results the file of the boilerplate is deleted in the end.
        Set<String> deleted = out.isPresent() ? Set.of() : Set.of(TunedSettings.COMMON);
        all.addAll(tuned.without(deleted).lines());
        if (!setOver.isEmpty()) {
            all.add("# Set over the proposal: " + String.join(", ", setOver));
        }
        return all;
    }

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
