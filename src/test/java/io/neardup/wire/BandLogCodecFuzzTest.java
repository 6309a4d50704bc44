package io.neardup.wire;

import com.code_intelligence.jazzer.junit.FuzzTest;

class BandLogCodecFuzzTest {

    @FuzzTest
    void shouldReadAnyBytesOrRefuseThem(byte[] bytes) {
        Hostile.checkAny(bytes, BandLogCodec::decodeKey, BandLogCodec::encode);
        Hostile.checkAny(bytes, BandLogCodec::decodeDocuments, BandLogCodec::encode);
        Hostile.checkAny(bytes, BandLogCodec::decodeDead, BandLogCodec::encodeDead);
        Hostile.decodesOrRefuses(bytes, BandLogCodec::documentCount);
    }
}
