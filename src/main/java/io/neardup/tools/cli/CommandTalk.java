package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import java.io.PrintWriter;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** What a command that it is mixed into says: progress, results, and what is wrong with its options. */
@Command // or picocli does not mix it in
final class CommandTalk {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    /** The standard output. */
    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** The standard error. */
    PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Prints what was found, as a JSON object or in lines. */
    void print(CommandReport report, boolean json) {
        if (json) {
            out().println(Json.of(report.json()));
        } else {
            report.print(out());
        }
        out().flush();
    }

    /** Progress on the standard error; to be closed before results are printed. */
    ProgressLines progress() {
        return new ProgressLines(err(), Terminal.isStandardError(), System::nanoTime);
    }

    /** Says which cluster is asked: one that does not answer is waited for. */
    void askingCluster(NeardupConfig config) {
        err().println("asking bootstrap.servers " + config.bootstrapServers().orElse("(none)") + " ...");
        err().flush();
    }

    /** Which options and parameters are there. */
    ParseResult parsed() {
        return spec.commandLine().getParseResult();
    }

    /** Wrong usage, to be thrown. */
    ParameterException wrong(@Nullable String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    /** What was asked for and would have no effect is a mistake. */
    void refuseOthers(String what, Set<String> known) {
        String others = parsed().matchedOptions().stream()
                .map(OptionSpec::longestName)
                .filter(name -> !known.contains(name))
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        if (!others.isEmpty()) {
            throw wrong(others + ": of no effect beside " + what + "; run " + spec.name() + " once with each");
        }
    }

    /** Refuses what an option was given unless it is as expected. */
    void check(boolean holds, String option, String expected, Object found) {
        if (!holds) {
            throw wrong(option + ": expected " + expected + ", found " + found);
        }
    }

    /** Refuses a number out of a range. */
    void check(String option, int number, int min, int max) {
        check(number >= min && number <= max, option, min + " to " + max, number);
    }

    /** What is made of the options; an {@link IllegalArgumentException} becomes wrong usage. */
    <T> T valid(Supplier<T> made) {
        try {
            return made.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
