package io.neardup.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.record.RecordHeader;
import io.neardup.service.lifecycle.DocumentChecks.CheckException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EncodedHeaderTest {
    @Test
    void shouldReadWhatItWrites() throws CheckException {
        byte[] value = new byte[1_000];
        new Random(1).nextBytes(value);

        assertThat(EncodedHeader.decode(EncodedHeader.encode("dé=s k%", value)))
                .isEqualTo(new RecordHeader("dé=s k%", value));
        assertThat(EncodedHeader.encode("a b", "c=é".getBytes(UTF_8))).isEqualTo("a%20b=c%3D%C3%A9");
    }

    @Test
    void shouldTakeWhatPeopleWrite() throws CheckException {
        assertThat(EncodedHeader.decode("tenant=a=b+c")).isEqualTo(new RecordHeader("tenant", "a=b+c".getBytes(UTF_8)));
        assertThat(EncodedHeader.decode("tenant=")).isEqualTo(new RecordHeader("tenant", new byte[0]));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "=a", "a=%", "a=%4", "a=%4x", "%zz=a", "a=%-1"})
    void shouldRefuseWhatIsNoHeader(String encoded) {
        assertThatThrownBy(() -> EncodedHeader.decode(encoded))
                .isInstanceOf(CheckException.class)
                .hasMessage("expected a record's header as name=value, percent-encoded, found something else");
    }
}
