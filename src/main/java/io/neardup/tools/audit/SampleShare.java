package io.neardup.tools.audit;

/**
 * Which part of all hashes is looked at: all, or one class of 2, 4, 8 and so on, as many as are needed to stay within a
 * bound of memory. So many passes, each with another class, look at all.
 */
final class SampleShare {
    private final long bytesMax;
    private final int pass;
    private int classes;
    private long bytes;

    /**
     * @param pass the number of the class, from 0
     * @param classes how many there are; a power of 2, above the pass
     */
    SampleShare(long bytesMax, int pass, int classes) {
        this.bytesMax = bytesMax;
        this.pass = pass;
        this.classes = classes;
    }

    boolean takes(long hash) {
        return (hash & (classes - 1)) == pass;
    }

    /** Notes what is kept; or given back, where it is below 0. */
    void keep(long keptBytes) {
        bytes += keptBytes;
    }

    /** Notes all that is kept. */
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

    int classes() {
        return classes;
    }
}
