package io.neardup.simulation;

import io.neardup.protocol.HomeState;
import io.neardup.protocol.HomeStateContract;
import io.neardup.protocol.SignedDocument;

class SimulatedHomeStateTest extends HomeStateContract<String> {
    private SimulatedHomeState<String> state = new SimulatedHomeState<>();

    @Override
    protected HomeState<String> open() {
        state = state.copy();
        return state;
    }

    @Override
    protected String payload(int number) {
        return "d" + number;
    }

    @Override
    protected SignedDocument signed(String payload) {
        return HomeStateContract.document(payload);
    }
}
