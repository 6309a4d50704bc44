package io.neardup.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Run more with {@code -Dsimulation.seeds=N}, one with {@code -Dsimulation.seed=S}. */
class ProtocolSimulationTest {

    @Test
    void shouldKeepThePromisesUnderAnySchedule() {
        Long only = Long.getLong("simulation.seed");
        LongStream seeds =
                only != null ? LongStream.of(only) : LongStream.range(0, Long.getLong("simulation.seeds", 20_000));

        seeds.parallel().forEach(seed -> {
            ProtocolSimulation simulation = new ProtocolSimulation(seed);
            Optional<String> violation = simulation.run();
            assertThat(violation)
                    .describedAs("seed %d, %s: run again with -Dsimulation.seed=%d", seed, simulation.settings(), seed)
                    .isEmpty();
        });
    }
}
