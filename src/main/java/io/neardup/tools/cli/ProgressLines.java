package io.neardup.tools.cli;

import io.neardup.tools.feed.Progress;
import io.neardup.tools.feed.Skipped;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/** Progress as one line that is written over again on a terminal, and as a line every 2 seconds elsewhere. */
final class ProgressLines implements Progress, AutoCloseable {
    private static final long PLAIN_NANOS = 2_000_000_000L;
    private static final String ERASE_LINE = "\u001b[2K";
    /** What is wider than the terminal is cut: only the last row could be written over. */
    private static final String NO_WRAP = "\u001b[?7l";

    private static final String WRAP = "\u001b[?7h";

    private final PrintWriter out;
    private final boolean terminal;
    private long printedNanos = System.nanoTime();
    private boolean lineOpen;
    private @Nullable String unprinted;

    private Skipped.Totals skipped = Skipped.Totals.NONE;

    ProgressLines(PrintWriter out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    @Override
    public void phase(String what) {
        show(what + " ...");
    }

    @Override
    public void update(String text) {
        unprinted = text;
        if (terminal || System.nanoTime() - printedNanos >= PLAIN_NANOS) {
            show(text);
        }
    }

    /** Of several readings of the same files the fullest counts; told at the end. */
    @Override
    public void skippedTotals(Skipped.Totals found) {
        skipped = found.parts() > skipped.parts() ? found : skipped;
    }

    /** Leaves the live line, if there is one; elsewhere prints how far it is in the end. */
    void end() {
        if (!terminal && unprinted != null) {
            show(unprinted);
        }
        if (lineOpen) {
            out.println();
            out.flush();
            lineOpen = false;
        }
    }

    @Override
    public void close() {
        end();
        SkippedText.lines(skipped).forEach(out::println);
        out.flush();
        skipped = Skipped.Totals.NONE;
    }

    private void show(String text) {
        if (terminal) {
            out.print("\r" + ERASE_LINE + NO_WRAP + text + WRAP);
            lineOpen = true;
        } else {
            out.println(text);
        }
        out.flush();
        unprinted = null;
        printedNanos = System.nanoTime();
    }
}
