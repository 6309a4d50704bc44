package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** Whether a command may do for good what it has told. */
final class Confirmation {
    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    /** Asks somebody who must type yes, unless the command line says not to. */
    boolean isGiven(PrintWriter out, String question) throws IOException {
        if (yes) {
            return true;
        }
        out.print(question + " Type yes: ");
        out.flush();
        String answer = new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
        return answer != null && answer.strip().equals("yes");
    }
}
