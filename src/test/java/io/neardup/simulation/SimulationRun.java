package io.neardup.simulation;

import java.util.Optional;
import java.util.function.LongFunction;

/** Runs the simulation of a seed and returns what promise was broken, if any; for callers of another class loader. */
public final class SimulationRun implements LongFunction<Optional<String>> {
    @Override
    public Optional<String> apply(long seed) {
        try {
            return new ProtocolSimulation(seed).run();
        } catch (RuntimeException e) {
            return Optional.of("exception: " + e);
        }
    }
}
