package io.neardup.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.testing.NewsFeed.News;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * A record of an input.
 *
 * @param name its own, in a header, so that it is known again on the outputs; that of the first of a key is the key
 * @param text null for a tombstone
 * @param atNanos when it was sent, by {@link System#nanoTime}
 */
public record Fed(
        String name,
        String topic,
        int partition,
        long offset,
        String key,
        @Nullable String text,
        long atNanos) {
    /** The header whose value is the name. */
    public static final String NAME = "crawler";

    public boolean isTombstone() {
        return text == null;
    }

    /** Some time of the year 2026. */
    public long timestamp() {
        return new News(key, "").timestamp();
    }

    public List<Header> headers() {
        return new News(name, "").headers();
    }

    public byte[] keyBytes() {
        return key.getBytes(UTF_8);
    }

    public byte @Nullable [] value() {
        return text == null ? null : new News(key, text).json();
    }
}
