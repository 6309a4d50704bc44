package io.neardup.tools.feed;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;

/** Is told what a command is doing, by the thread that does it. */
@FunctionalInterface
public interface Progress {
    /** What it does and how far it is; may be called often. */
    void update(String text);

    /** What takes time now, of which nobody knows how far it is. */
    default void phase(String what) {
        update(what + " ...");
    }

    /** How far it is, each time when so many more are done; the format is of that number and more values. */
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
