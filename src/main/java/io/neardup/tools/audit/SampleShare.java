package io.neardup.tools.audit;

import io.neardup.tools.audit.PromiseReport.Findings;

/**
 * Which part of all hashes is looked at: all, or one class of 2, 4, 8 and so on, as many as are needed to stay within a
 * bound of memory. So many passes, each with another class, look at all.
 */
final class SampleShare {
    private final long bytesMax;
    private int pass;
    private int classes = 1;
    private long bytes;

    SampleShare(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    boolean takes(long hash) {
        return (hash & (classes - 1)) == pass;
    }

    /** Notes what is kept; or given back, where it is below 0. */
    void keep(long keptBytes) {
        bytes += keptBytes;
    }

    void set(long keptBytes) {
        bytes = keptBytes;
    }

    /**
     * Whether the first pass keeps too much; then there are twice as many classes, and whoever asks gives back what is
     * taken no more. Later passes have classes of about the same size, and stay as they are.
     */
    boolean isOverfull() {
        if (pass > 0 || bytes <= bytesMax) {
            return false;
        }
        classes *= 2;
        return true;
    }

    /** Begins with nothing kept; after the last class nothing is taken. */
    void startPass() {
        pass++;
        bytes = 0;
    }

    boolean isFirstPass() {
        return pass == 0;
    }

    /** A power of 2. */
    int classes() {
        return classes;
    }

    /** Says where a part was looked at. */
    void note(Findings findings, String of) {
        findings.note(
                pass + 1 < classes,
                "a sample: one of " + classes + " parts of the " + of + "; --all looks at all of them in " + classes
                        + " passes, fewer with a larger heap (java -Xmx4g -jar ...)");
    }
}
