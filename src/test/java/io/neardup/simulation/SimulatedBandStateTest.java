package io.neardup.simulation;

import io.neardup.engine.protocol.BandIndex.BandState;
import io.neardup.engine.protocol.BandStateContract;

class SimulatedBandStateTest extends BandStateContract {
    @Override
    protected BandState open(int bands) {
        return new SimulatedBandState();
    }

    @Override
    protected BandState open(int bands, int bucketMax) {
        return new SimulatedBandState(bucketMax);
    }
}
