package io.neardup.streams.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.MethodSource;

class MessageCodecFuzzTest {
    private static final List<Function<byte[], ?>> DECODERS =
            List.of(MessageCodec::decodeToBands, MessageCodec::decodeToCoordinator, MessageCodec::decodeToChecker);

    @MethodSource("inputs")
    @FuzzTest
    void shouldReadAnyBytesOrRefuseThem(byte[] bytes) {
        Hostile.checkAny(bytes, MessageCodec::decodeToBands, Encoded::batch);
        Hostile.checkAny(bytes, MessageCodec::decodeToCoordinator, Encoded::batch);
        Hostile.checkAny(bytes, MessageCodec::decodeToChecker, Encoded::batch);
    }

    @Test
    void shouldBeginWithInputsOfTheLayout() {
        messages().forEach(input -> Hostile.decodesByOne(input, DECODERS));
        broken().forEach(input -> Hostile.isRefusedBehindItsVersion(input, DECODERS));
        assertThat(messages()).isNotEmpty();
    }

    static Stream<byte[]> inputs() {
        return Stream.concat(messages(), broken());
    }

    private static Stream<byte[]> messages() {
        Stream<byte[]> each = MessageCodecTest.pinned().stream().map(pinned -> Hostile.bytes((String) pinned.get()[1]));
        return Stream.concat(Stream.of(Encoded.batch(List.of())), each);
    }

    /** A number too long for any, and lists that are not as long as they say. */
    private static Stream<byte[]> broken() {
        return Stream.of(
                        "01 80808080808080808080 01",
                        "03 03 ac02 02 05 09 ffffffffffffffff7f",
                        "03 03 ac02 02 05 09 80ade204 0007")
                .map(tail -> Hostile.bytes(MessageCodec.VERSION, tail));
    }
}
