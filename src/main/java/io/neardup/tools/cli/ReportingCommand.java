package io.neardup.tools.cli;

import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** A command that prints what it found, for people or for programs. */
abstract class ReportingCommand extends ToolCommand {
    @Option(names = "--json", description = "Print what is found as JSON, without texts of documents.")
    private boolean json;

    boolean isJson() {
        return json;
    }

    /** @param figures a record, a map or a tree, that {@link Json} writes */
    void print(Supplier<TextTable> text, Supplier<?> figures) {
        if (json) {
            out().println(Json.of(figures.get()));
        } else {
            text.get().print(out());
        }
        out().flush();
    }
}
