package io.neardup.simulation;

import io.neardup.protocol.HomeState;
import io.neardup.protocol.HomeStateContract;

class SimulatedHomeStateTest extends HomeStateContract {
    private SimulatedHomeState committed = new SimulatedHomeState();
    private SimulatedHomeState state = committed.copy();

    @Override
    protected HomeState open() {
        state = state.copy();
        return state;
    }

    /** As a node of the simulation does it. */
    @Override
    protected void commit() {
        committed = state.copy();
    }

    @Override
    protected HomeState crash() {
        state = committed.copy();
        return state;
    }
}
