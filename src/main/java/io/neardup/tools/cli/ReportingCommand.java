package io.neardup.tools.cli;

import picocli.CommandLine.Option;

/** A command that prints what it found, for people or for programs. */
abstract class ReportingCommand extends ToolCommand {
    @Option(names = "--json", description = "Print what is found as JSON, without texts of documents.")
    private boolean json;

    /** What was found. */
    interface Report {
        TextTable text();

        /** All figures: a record, a map or a tree, that {@link Json} writes. */
        default Object json() {
            return this;
        }
    }

    boolean isJson() {
        return json;
    }

    void print(Report report) {
        if (json) {
            out().println(Json.of(report.json()));
        } else {
            report.text().print(out());
        }
        out().flush();
    }
}
