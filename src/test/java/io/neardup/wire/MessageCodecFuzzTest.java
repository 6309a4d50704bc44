package io.neardup.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;

class MessageCodecFuzzTest {

    @FuzzTest
    void shouldReadAnyBytesOrRefuseThem(byte[] bytes) {
        Hostile.checkAny(bytes, MessageCodec::decodeToBands, Encoded::batch);
        Hostile.checkAny(bytes, MessageCodec::decodeToHome, Encoded::batch);
    }
}
