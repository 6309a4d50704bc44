package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;

/** Runs a command line in this process and keeps what it prints. */
public abstract class CommandTest {
    protected final StringWriter out = new StringWriter();
    protected final StringWriter err = new StringWriter();

    /** The program that is run. */
    CommandLine commandLine() {
        return Main.commandLine();
    }

    /** What does something by its whole name; a command that only leads to others does not. */
    static SortedMap<String, CommandLine> commands() {
        SortedMap<String, CommandLine> commands = new TreeMap<>();
        addCommands(Main.commandLine(), "", commands);
        return commands;
    }

    private static void addCommands(CommandLine program, String above, Map<String, CommandLine> commands) {
        program.getSubcommands().forEach((name, command) -> {
            if (command.getCommand() instanceof Callable<?>) {
                commands.put(above + name, command);
            }
            addCommands(command, above + name + " ", commands);
        });
    }

    /** What was printed before is forgotten. */
    protected final int execute(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLine command = commandLine();
        command.setOut(new PrintWriter(out, true));
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }

    /** The same with something on the standard input. */
    protected final int executeWithInput(InputStream input, String... arguments) {
        InputStream standardInput = System.in;
        System.setIn(input);
        try {
            return execute(arguments);
        } finally {
            System.setIn(standardInput);
        }
    }

    /** A command and settings, each with its --set. */
    protected static String[] withSettings(List<String> settings, String... command) {
        return Stream.concat(Stream.of(command), settings.stream().flatMap(pair -> Stream.of("--set", pair)))
                .toArray(String[]::new);
    }

    /** A command with more behind it. */
    static String[] with(String[] command, String... more) {
        return Stream.of(command, more).flatMap(Stream::of).toArray(String[]::new);
    }

    /** What a command that does not fail prints. */
    protected final String printed(String... arguments) {
        int exit = execute(arguments);
        assertThat(exit).as(err.toString()).isZero();
        return out.toString();
    }

    /** Sentences in one line each, as they were before they went on in the next one. */
    static String unwrapped(String printed) {
        return printed.replaceAll("(?<=\\S)\n(?=\\S)", " ");
    }

    /** The words of what was printed, however wide columns are and wherever lines end. */
    static String words(String printed) {
        return printed.replaceAll("\\s+", " ");
    }

    /** What is said of a line that is wrong. */
    protected final String refused(String... arguments) {
        int exit = execute(arguments);
        assertThat(exit).as(err.toString()).isEqualTo(2);
        return err.toString();
    }

    /** What is said of what cannot be done. */
    protected final String failed(String... arguments) {
        int exit = execute(arguments);
        assertThat(exit).as(err.toString()).isEqualTo(1);
        return err.toString();
    }

    /** What a command that does not fail prints as JSON. */
    protected final JsonNode json(String... arguments) throws IOException {
        return new ObjectMapper().readTree(printed(arguments));
    }
}
