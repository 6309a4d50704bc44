package io.neardup.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Lets bash read what a chapter shows, so that quotes, pipes and continued lines mean what they mean to a reader's
 * shell.
 */
public final class Shell {
    private static final long SECONDS_MAX = 120;

    /** Programs that are noted in place of being run. */
    private static final String NOTED = """
            note() {
              local call
              call=$(printf 'call-%03d' "$(find . -name 'call-*' | wc -l)")
              mkdir "$call" && printf '%s\\n' "$@" > "$call/arguments" && cat > "$call/input"
            }
            java() { note java "$@"; }
            mvn() { note mvn "$@"; }
            neardup() { java -jar target/neardup.jar "$@"; }
            set -eu -o pipefail
            """;

    private Shell() {}

    /**
     * A program as it would have been started.
     *
     * @param line the program and its arguments; none has a line feed
     * @param input what it would have got as standard input
     */
    public record Call(List<String> line, String input) {}

    /**
     * Runs a block of commands, and notes the calls of java and mvn in it; neardup is java with the jar.
     *
     * @param folder empty; the block is run there
     */
    public static List<Call> calls(String block, Path folder) throws IOException, InterruptedException {
        Process bash = new ProcessBuilder("bash", "-c", NOTED + block)
                .directory(folder.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(
                        Files.createFile(folder.resolve("nothing")).toFile()))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("printed").toFile())
                .start();
        if (!bash.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
            bash.destroyForcibly();
        }
        if (bash.waitFor() != 0) {
            throw new IOException("bash: expected to read the block, found exit code " + bash.exitValue() + " and "
                    + Files.readString(folder.resolve("printed")));
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(Files::isDirectory).sorted().map(Shell::call).toList();
        }
    }

    private static Call call(Path folder) {
        try {
            return new Call(Files.readAllLines(folder.resolve("arguments")), Files.readString(folder.resolve("input")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
