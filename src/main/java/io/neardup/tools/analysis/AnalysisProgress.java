package io.neardup.tools.analysis;

import io.neardup.tools.feed.Skipped;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;

/** Is told what an analysis is doing. */
@FunctionalInterface
public interface AnalysisProgress {
    /** What it does and how far it is; may be called often. */
    void update(String text);

    /**
     * How far it is, each time when so many more are done.
     *
     * @param format of how many are done, and of more values behind that
     */
    default void count(long done, int step, String format, Object... more) {
        if (done % step == 0) {
            update(String.format(
                    Locale.ROOT,
                    format,
                    Stream.concat(Stream.of(done), Arrays.stream(more)).toArray()));
        }
    }

    /** What of the files was no record, once they were read. */
    default void skippedTotals(Skipped.Totals skippedTotals) {}
}
