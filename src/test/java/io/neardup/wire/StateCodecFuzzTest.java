package io.neardup.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;

class StateCodecFuzzTest {

    @FuzzTest
    void shouldReadAnyBytesOrRefuseThem(byte[] bytes) {
        Hostile.checkAny(bytes, StateCodec::decodeDecision, StateCodec::encode);
        Hostile.checkAny(bytes, StateCodec::decodeBlock, StateCodec::encode);
        Hostile.checkAny(bytes, StateCodec::decodeOriginal, StateCodec::encode);
        Hostile.checkAny(bytes, StateCodec::decodePosition, StateCodec::encode);
        Hostile.checkAny(bytes, StateCodec::decodeExpiry, StateCodec::encode);
        Hostile.checkAny(bytes, StateCodec::decodeAttempt, StateCodec::encodeAttempt);
        Hostile.checkAny(bytes, StateCodec::decodeRepeated, StateCodec::encodeRepeated);
    }
}
