package io.neardup.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Proves that the simulation can fail: each fault put into the protocol breaks the promise that it must break. */
class MutantsTest {
    /** Of crashing runs, which catch most, and as many others. */
    private static final int SEEDS = 10_000;

    private static final int SEEDS_RARE = 60_000;

    /**
     * Seeds that have caught a mutant, so that what is caught seldom is not searched for in each build. They are tried
     * first. Where the protocol or the simulation has changed, so that they catch nothing any more, all others are.
     */
    private static final Path CATCHING = Path.of("src/test/resources/io/neardup/simulation/catching-seeds.tsv");
    /** Notes those that catch now. */
    private static final boolean IS_WRITTEN = Boolean.getBoolean("mutants.write");

    @TempDir
    private Path folder;

    static Stream<Mutant> mutants() {
        return Mutants.ALL.stream();
    }

    @ParameterizedTest
    @MethodSource("mutants")
    @Timeout(120)
    void shouldBeCaught(Mutant mutant) throws Exception {
        shouldBeCaught(mutant, SEEDS);
    }

    static Stream<Mutant> rareMutants() {
        return Mutants.RARE.stream();
    }

    @ParameterizedTest
    @MethodSource("rareMutants")
    @EnabledIfSystemProperty(named = "thorough", matches = "true")
    void shouldBeCaughtInTheEnd(Mutant mutant) throws Exception {
        shouldBeCaught(mutant, SEEDS_RARE);
    }

    private void shouldBeCaught(Mutant mutant, int seeds) throws Exception {
        LongFunction<Optional<String>> simulation = MutatedProtocol.simulation(mutant.make(), folder);

        OptionalLong seed = seed(mutant, seeds, run -> simulation
                .apply(run)
                .filter(found -> found.matches("(?s)(" + mutant.promise() + "):.*"))
                .isPresent());

        assertThat(seed)
                .describedAs("%s: a run of %,d that breaks '%s'", mutant, 2 * seeds, mutant.promise())
                .isPresent();
    }

    @Test
    void shouldKeepThePromisesWithoutAFault() throws Exception {
        Mutant none = new Mutant("none", "class DocumentCoordinator<P>", "class DocumentCoordinator<P>", "none");

        LongFunction<Optional<String>> simulation = MutatedProtocol.simulation(none.make(), folder);

        assertThat(seeds(40).mapToObj(simulation).flatMap(Optional::stream)).isEmpty();
    }

    @Test
    void shouldReportAMutantThatFitsMoreThanOnePlace() {
        Mutant ambiguous = new Mutant("a fault anywhere", "return", "", "no-remaining-duplicates");

        assertThatThrownBy(ambiguous::make).hasMessageContaining("DocumentCoordinator.java, ");
    }

    // ---- seeds that catch

    /**
     * A seed that catches a mutant; empty where none does.
     *
     * @param each seeds of crashing runs, and as many of others
     */
    private static OptionalLong seed(Mutant mutant, int each, LongPredicate catches) throws IOException {
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
    private static LongStream seeds(int each) {
        return LongStream.range(0, 2L * each)
                .map(i -> i % 2 == 0 ? -1 - i / 2 : i / 2)
                .parallel();
    }

    private static OptionalLong known(Mutant mutant, int each) throws IOException {
        Long seed = read().get(mutant.name());
        return seed == null || seed < -each || seed >= each ? OptionalLong.empty() : OptionalLong.of(seed);
    }

    private static Map<String, Long> read() throws IOException {
        List<String> lines = Files.exists(CATCHING) ? Files.readAllLines(CATCHING, UTF_8) : List.of();
        return lines.stream()
                .map(line -> line.split("\t", 2))
                .collect(Collectors.toMap(
                        parts -> parts[0], parts -> Long.valueOf(parts[1]), (a, b) -> b, TreeMap::new));
    }

    private static void note(Mutant mutant, long seed) throws IOException {
        Map<String, Long> seeds = read();
        seeds.put(mutant.name(), seed);
        Files.write(
                CATCHING,
                seeds.entrySet().stream()
                        .map(entry -> entry.getKey() + "\t" + entry.getValue())
                        .toList(),
                UTF_8);
    }
}
