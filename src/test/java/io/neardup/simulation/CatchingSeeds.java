package io.neardup.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Seeds that have caught a mutant, so that what is caught seldom is not searched for in each build. They are tried
 * first. Where the protocol or the simulation has changed, so that they catch nothing any more, all others are.
 */
final class CatchingSeeds {
    private static final Path FILE = Path.of("src/test/resources/io/neardup/simulation/catching-seeds.tsv");
    /** Notes those that catch now. */
    private static final boolean IS_WRITTEN = Boolean.getBoolean("mutants.write");

    private CatchingSeeds() {}

    /**
     * A seed that catches a mutant; empty where none does.
     *
     * @param each seeds of crashing runs, and as many of others
     */
    static OptionalLong find(Mutant mutant, int each, LongPredicate catches) throws IOException {
        OptionalLong known = known(mutant, each);
        OptionalLong found = known.isPresent() && catches.test(known.getAsLong())
                ? known
                : seeds(each).filter(catches).findAny();
        if (IS_WRITTEN && found.isPresent()) {
            note(mutant, found.getAsLong());
        }
        return found;
    }

    /** The first so many of each kind: those below 0 are of runs in which coordinators crash often. */
    static LongStream seeds(int each) {
        return LongStream.range(0, 2L * each)
                .map(i -> i % 2 == 0 ? -1 - i / 2 : i / 2)
                .parallel();
    }

    private static OptionalLong known(Mutant mutant, int each) throws IOException {
        Long seed = read().get(mutant.name());
        return seed == null || seed < -each || seed >= each ? OptionalLong.empty() : OptionalLong.of(seed);
    }

    private static Map<String, Long> read() throws IOException {
        List<String> lines = Files.exists(FILE) ? Files.readAllLines(FILE, UTF_8) : List.of();
        return lines.stream()
                .map(line -> line.split("\t", 2))
                .collect(Collectors.toMap(
                        parts -> parts[0], parts -> Long.valueOf(parts[1]), (a, b) -> b, TreeMap::new));
    }

    private static void note(Mutant mutant, long seed) throws IOException {
        Map<String, Long> seeds = read();
        seeds.put(mutant.name(), seed);
        Files.write(
                FILE,
                seeds.entrySet().stream()
                        .map(entry -> entry.getKey() + "\t" + entry.getValue())
                        .toList(),
                UTF_8);
    }
}
