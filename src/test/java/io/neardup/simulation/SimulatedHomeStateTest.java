package io.neardup.simulation;

import io.neardup.protocol.HomeState;
import io.neardup.protocol.HomeStateContract;

class SimulatedHomeStateTest extends HomeStateContract {
    private SimulatedHomeState state = new SimulatedHomeState();

    @Override
    protected HomeState open() {
        state = state.copy();
        return state;
    }
}
