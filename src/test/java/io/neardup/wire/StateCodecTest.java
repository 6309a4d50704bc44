package io.neardup.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.neardup.protocol.Decision;
import io.neardup.protocol.NumberBlock;
import io.neardup.protocol.Original;
import io.neardup.protocol.Ref;
import io.neardup.sketch.Evidence;
import io.neardup.sketch.Similarity;
import java.util.List;
import org.junit.jupiter.api.Test;

class StateCodecTest extends LayoutContract {

    static List<Layout<?>> layouts() {
        return List.of(
                new Layout<>(
                        "block",
                        StateCodec::encode,
                        StateCodec::decodeBlock,
                        draws -> new NumberBlock(
                                draws.text(),
                                draws.upTo(Long.MAX_VALUE),
                                draws.upTo(Long.MAX_VALUE),
                                draws.upTo(Long.MAX_VALUE)),
                        new NumberBlock("docs", 3, 300, 1_000),
                        "02 04646f6373 03 ac02 e807"),
                new Layout<>(
                        "duplicate",
                        StateCodec::encode,
                        StateCodec::decodeDecision,
                        draws -> new Decision.Duplicate(draws.ref(), draws.text(), draws.similarity()),
                        new Decision.Duplicate(new Ref(3, 300), "ü", new Similarity(0.75, 0.5, 1)),
                        "02 03 ac02 02c3bc 3fe8000000000000 3fe0000000000000 3ff0000000000000"),
                new Layout<>(
                        "original",
                        StateCodec::encode,
                        StateCodec::decodeOriginal,
                        draws -> new Original(draws.text(), draws.evidence()),
                        new Original("ü", Evidence.of(new byte[] {9, 8})),
                        "02 02c3bc 020908"));
    }

    @Test
    void shouldSayWhichBytesAreBroken() {
        byte[] cut = {StateCodec.VERSION, 3, 'a'};

        assertThat(catchThrowable(() -> StateCodec.decodeOriginal(cut)))
                .isInstanceOf(WireException.class)
                .hasMessage("an original, byte 2 of 3: expected at most 1 more, found 3");
    }
}
