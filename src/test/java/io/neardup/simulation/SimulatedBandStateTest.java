package io.neardup.simulation;

import io.neardup.protocol.BandState;
import io.neardup.protocol.BandStateContract;

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
