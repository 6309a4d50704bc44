package io.neardup.engine.lsh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class ArrayInputTest {
    private static final int[] LENGTHS = {0, 1, 7, 1_000, ArrayOutput.BUFFER_BYTES / 8 - 1, 300_000, 0, 2};

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final ArrayOutput to = new ArrayOutput(Channels.newChannel(bytes));

    private ArrayInput written() {
        return new ArrayInput(Channels.newChannel(new ByteArrayInputStream(bytes.toByteArray())));
    }

    @Test
    void shouldReadWhatWasWrittenHoweverItFallsIntoTheBuffer() throws IOException {
        for (int seed = 0; seed < 5; seed++) {
            bytes.reset();
            Random random = new Random(seed);
            byte[] some = new byte[random.nextInt(20)];
            to.writeBytes(some);
            for (int length : LENGTHS) {
                to.writeLong(length);
                to.writeLongs(new Random(length).longs(length).toArray());
                to.writeInts(new Random(length).ints(length).toArray());
            }
            to.finish();

            ArrayInput from = written();
            assertThat(from.readBytes()).isEqualTo(some);
            for (int length : LENGTHS) {
                assertThat(from.readLong()).isEqualTo(length);
                assertThat(from.readLongs())
                        .isEqualTo(new Random(length).longs(length).toArray());
                assertThat(from.readInts())
                        .isEqualTo(new Random(length).ints(length).toArray());
            }
        }
    }

    @Test
    void shouldEndWithTheChecksumOfAllBefore() throws IOException {
        to.writeInt(0x0102_0304);
        to.writeLongs(new long[] {5});
        to.finish();

        byte[] all = bytes.toByteArray();
        assertThat(all)
                .startsWith(1, 2, 3, 4, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5)
                .hasSize(20);
        CRC32C checksum = new CRC32C();
        checksum.update(all, 0, 16);
        assertThat(ByteBuffer.wrap(all).getInt(16)).isEqualTo((int) checksum.getValue());
    }

    @Test
    void shouldSayThatTheBytesEndTooEarly() throws IOException {
        to.writeInt(3);
        to.finish();

        assertThatThrownBy(() -> written().readLongs())
                .isInstanceOf(EOFException.class)
                .hasMessageContaining("expected 4 more bytes");
    }
}
