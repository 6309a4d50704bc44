package io.neardup.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;
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

        OptionalLong seed = CatchingSeeds.find(mutant, seeds, run -> simulation
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

        assertThat(CatchingSeeds.seeds(100).mapToObj(simulation).flatMap(Optional::stream))
                .isEmpty();
    }

    @Test
    void shouldReportAMutantThatNoLongerApplies() {
        Mutant gone = new Mutant("a fault of yore", "no such line", "", "no-remaining-duplicates");
        Mutant ambiguous = new Mutant("a fault anywhere", "return", "", "no-remaining-duplicates");

        assertThatThrownBy(gone::make)
                .hasMessage(
                        "mutant 'a fault of yore' does not apply: expected exactly one place, found []: no such line");
        assertThatThrownBy(ambiguous::make).hasMessageContaining("DocumentCoordinator.java, ");
    }
}
