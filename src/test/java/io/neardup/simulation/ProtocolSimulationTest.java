package io.neardup.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Of each kind of runs as many as {@code -Dsimulation.seeds=N}, or one with {@code -Dsimulation.seed=S}, which is
 * negative for a crashing run.
 */
class ProtocolSimulationTest {

    @Test
    void shouldKeepThePromisesUnderAnySchedule() {
        Long only = Long.getLong("simulation.seed");
        long each = Long.getLong("simulation.seeds", 20_000);
        LongStream seeds = only != null ? LongStream.of(only) : LongStream.range(-each, each);

        Map<Disturbance, Long> runs = seeds.parallel()
                .mapToObj(ProtocolSimulationTest::disturbances)
                .flatMap(Set::stream)
                .collect(Collectors.groupingBy(met -> met, Collectors.counting()));

        if (only == null) {
            // A promise that holds where nothing disturbs says little.
            assertThat(runs).containsOnlyKeys(Disturbance.values());
        }
    }

    /** What a run met that kept the promises all the same. */
    private static Set<Disturbance> disturbances(long seed) {
        ProtocolSimulation simulation = new ProtocolSimulation(seed);
        Optional<String> violation = simulation.run();
        assertThat(violation)
                .describedAs("seed %d, %s: run again with -Dsimulation.seed=%d", seed, simulation.settings(), seed)
                .isEmpty();
        return simulation.disturbances();
    }
}
