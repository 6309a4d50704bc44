package io.neardup.simulation;

import java.util.Optional;
import java.util.function.LongFunction;

/** Runs the simulation of a seed and tells what promise was broken, if any; for callers of another class loader. */
public final class SimulationRun implements LongFunction<Optional<String>> {
    @Override
    public Optional<String> apply(long seed) {
        return new ProtocolSimulation(seed).run();
    }
}
