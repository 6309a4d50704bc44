package io.neardup.simulation;

import io.neardup.engine.protocol.CoordinatorState;
import io.neardup.engine.protocol.CoordinatorStateContract;

class SimulatedCoordinatorStateTest extends CoordinatorStateContract {
    private SimulatedCoordinatorState committed = new SimulatedCoordinatorState();
    private SimulatedCoordinatorState state = committed.copy();

    @Override
    protected CoordinatorState open() {
        state = state.copy();
        return state;
    }

    /** As a node of the simulation does it. */
    @Override
    protected void commit() {
        committed = state.copy();
    }

    @Override
    protected CoordinatorState crash() {
        state = committed.copy();
        return state;
    }
}
