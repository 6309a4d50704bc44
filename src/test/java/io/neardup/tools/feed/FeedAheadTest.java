package io.neardup.tools.feed;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.neardup.tools.feed.SentPositions.SentFile;
import io.neardup.tools.feed.SentPositions.State;
import java.io.InputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class FeedAheadTest {
    private static final long WAIT_MILLIS = 10_000;
    private static final SentFile STREAM = new SentFile(null, new State(0, 0, 0));

    @Test
    @Timeout(120)
    void shouldGiveAFaultOfAReaderAsItIs() {
        RuntimeException fault = new IllegalStateException("a fault");
        InputStream faulty = new InputStream() {
            @Override
            public int read() {
                throw fault;
            }

            @Override
            public int read(byte[] bytes, int from, int length) {
                throw fault;
            }
        };
        try (FeedAhead feed = new FeedAhead(Feed.ofStream("faulty", faulty, 1_000), () -> STREAM)) {
            assertThatThrownBy(() -> feed.next(WAIT_MILLIS)).isSameAs(fault);
        }
    }
}
