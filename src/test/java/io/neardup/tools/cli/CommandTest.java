package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
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

    /** What a command that does not fail prints. */
    final JsonNode json(String... arguments) throws IOException {
        out.getBuffer().setLength(0);
        assertThat(execute(arguments)).describedAs(err.toString()).isZero();
        return new ObjectMapper().readTree(out.toString());
    }
}
