package io.neardup.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A deliberate fault in the protocol. It names no class: its place is the code itself, wherever that is moved, and
 * however it is broken into lines.
 *
 * @param snippet what stands exactly once in the protocol and the simulated state of its roles
 * @param replacement what stands there instead
 * @param promise the promise that the simulation is to find broken: how its violations begin
 */
record Mutant(String name, String snippet, String replacement, String promise) {
    private static final Path PROTOCOL = Path.of("src/main/java/io/neardup/engine/protocol");
    private static final Path SIMULATION = Path.of("src/test/java/io/neardup/simulation");
    private static final Pattern TOKEN = Pattern.compile("\\w+|\\S");

    /** A source with a fault. */
    record FaultySource(String fileName, String code) {}

    /** The source that has the snippet, with the fault; fails if none has it, or more than one place. */
    FaultySource make() throws IOException {
        Pattern place = anyLayout(snippet);
        List<FaultySource> made = new ArrayList<>();
        for (Path source : sources()) {
            String right = Files.readString(source, UTF_8);
            for (MatchResult found : place.matcher(right).results().toList()) {
                String faulty = right.substring(0, found.start()) + replacement + right.substring(found.end());
                made.add(new FaultySource(source.getFileName().toString(), faulty));
            }
        }
        if (made.size() != 1) {
            throw new AssertionError("mutant '" + name + "' does not apply: expected exactly one place, found "
                    + made.stream().map(FaultySource::fileName).toList() + ": " + snippet);
        }
        return made.get(0);
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> protocol = Files.list(PROTOCOL);
                Stream<Path> simulation = Files.list(SIMULATION)) {
            return Stream.concat(protocol, simulation.filter(file -> file.getFileName()
                            .toString()
                            .startsWith("Simulated")))
                    .sorted()
                    .toList();
        }
    }

    /** White space may stand between any two tokens. */
    private static Pattern anyLayout(String code) {
        Matcher tokens = TOKEN.matcher(code);
        String tokensOnly =
                tokens.results().map(MatchResult::group).map(Pattern::quote).collect(Collectors.joining("\\s*"));
        String start = Character.isJavaIdentifierPart(code.charAt(0)) ? "\\b" : "";
        return Pattern.compile(start + tokensOnly);
    }

    @Override
    public String toString() {
        return name;
    }
}
