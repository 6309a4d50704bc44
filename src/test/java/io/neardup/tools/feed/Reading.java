package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/** What a feed makes of bytes. */
record Reading(List<FeedRecord> records, Skipped.Totals skippedTotals) {
    static final int RECORD_BYTES_MAX = 1 << 20;
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * What is to be made of bytes.
     *
     * @param values of one field of the records
     * @param skipped as {@link Reading#skipped} tells it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Case(String what, byte[] content, String field, List<String> values, String skipped) {
        void check() throws IOException {
            Reading reading = Reading.of(content);

            assertThat(reading.fields(field)).isEqualTo(values);
            assertThat(reading.skipped()).isEqualTo(skipped);
        }

        @Override
        public String toString() {
            return what;
        }
    }

    static Reading of(String content) throws IOException {
        return of(content.getBytes(UTF_8));
    }

    static Reading of(byte[] content) throws IOException {
        return of(new Feed(List.of("-"), new ByteArrayInputStream(content), Feed.Kind.ANY, RECORD_BYTES_MAX));
    }

    static Reading ofFiles(String... files) throws IOException {
        return of(new Feed(List.of(files), InputStream.nullInputStream(), Feed.Kind.ANY, RECORD_BYTES_MAX));
    }

    static Reading of(Feed opened) throws IOException {
        List<FeedRecord> records = new ArrayList<>();
        try (Feed feed = opened) {
            for (FeedRecord record = feed.next(); record != null; record = feed.next()) {
                records.add(record);
            }
            return new Reading(records, feed.skippedTotals());
        }
    }

    /** The records as texts. */
    List<String> texts() {
        return records.stream().map(record -> new String(record.bytes(), UTF_8)).toList();
    }

    /** A field of each record; empty where it has none. */
    List<String> fields(String name) {
        return texts().stream().map(text -> json(text).path(name).asText()).toList();
    }

    /** What was skipped, as in "info 1, broken 2". */
    String skipped() {
        return skippedTotals.counts().entrySet().stream()
                .map(entry -> entry.getKey().code() + " " + entry.getValue())
                .collect(Collectors.joining(", "));
    }

    /** Parts of whatever kind: records, and what was skipped. */
    long parts() {
        return records.size() + skippedTotals.parts();
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] gzip(byte[]... members) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        for (byte[] member : members) {
            try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
                out.write(member);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return packed.toByteArray();
    }

    static byte[] join(byte[]... parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            joined.writeBytes(part);
        }
        return joined.toByteArray();
    }

    static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
