package io.neardup.streams.store;

import java.util.List;

class ProgressCodecTest extends LayoutContract {

    static List<Layout<?>> layouts() {
        return List.of(new Layout<>(
                "entries",
                ProgressCodec::encode,
                ProgressCodec::decode,
                values -> values.listOf(() -> new ProgressCodec.Grouped(values.upTo(255), values.bytes())),
                List.of(
                        new ProgressCodec.Grouped(0, new byte[] {6, 1}),
                        new ProgressCodec.Grouped(255, new byte[] {6, 2, 3})),
                "01 02 00 02 0601 ff 03 060203"));
    }
}
