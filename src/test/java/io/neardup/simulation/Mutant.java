package io.neardup.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A deliberate fault in the protocol.
 *
 * @param source the class that has it, of {@code io.neardup.protocol}, or the simulated state of one of its roles
 * @param snippet what stands there exactly once
 * @param replacement what stands there instead
 * @param promise the promise that the simulation is to find broken: how its violations begin
 */
record Mutant(String name, String source, String snippet, String replacement, String promise) {
    private static final Path SOURCES = Path.of("src/main/java/io/neardup/protocol");
    private static final Path SIMULATED = Path.of("src/test/java/io/neardup/simulation");

    /** The faulty source; fails if it can no longer be made. */
    String code() throws IOException {
        Path folder = source.startsWith("Simulated") ? SIMULATED : SOURCES;
        String right = Files.readString(folder.resolve(source + ".java"), UTF_8);
        int first = right.indexOf(snippet);
        if (first < 0 || right.indexOf(snippet, first + 1) >= 0) {
            throw new AssertionError("mutant '" + name + "' no longer applies: expected exactly once in " + source
                    + ".java, found " + (first < 0 ? "never" : "more often") + ": " + snippet);
        }
        return right.replace(snippet, replacement);
    }

    @Override
    public String toString() {
        return name;
    }
}
