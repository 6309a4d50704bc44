package io.neardup.tools.analysis;

/** Documents have more to compare than can be numbered; fewer of them will do. */
public final class SampleTooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    SampleTooLargeException(String what, long max) {
        super(what + ": expected at most " + max + ", found more");
    }
}
