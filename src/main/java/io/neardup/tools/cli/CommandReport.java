package io.neardup.tools.cli;

import java.io.PrintWriter;

/** What a command found, for people and for programs. */
interface CommandReport {
    /** Prints it in lines. */
    void print(PrintWriter output);

    /** All figures: a record, a map or a tree, that {@link Json} writes. */
    default Object json() {
        return this;
    }
}
