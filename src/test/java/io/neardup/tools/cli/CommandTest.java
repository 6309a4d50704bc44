package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
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

    protected final int execute(String... arguments) {
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
    static String[] withSettings(List<String> settings, String... command) {
        return Stream.concat(Stream.of(command), settings.stream().flatMap(pair -> Stream.of("--set", pair)))
                .toArray(String[]::new);
    }

    /** What a command that does not fail prints. */
    final JsonNode json(String... arguments) throws IOException {
        out.getBuffer().setLength(0);
        assertThat(execute(arguments)).describedAs(err.toString()).isZero();
        return new ObjectMapper().readTree(out.toString());
    }
}
