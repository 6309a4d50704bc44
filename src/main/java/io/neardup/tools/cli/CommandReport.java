package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;

/** What a command found, for people and for programs. */
interface CommandReport {
    /** Prints it in lines. */
    void print(PrintWriter output);

    /** All figures. */
    default ObjectNode json() {
        return Json.of(this);
    }
}
