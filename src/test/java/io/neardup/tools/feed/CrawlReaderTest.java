package io.neardup.tools.feed;

import static io.neardup.tools.feed.Reading.bytes;
import static io.neardup.tools.feed.Reading.gzip;
import static io.neardup.tools.feed.Reading.join;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.github.luben.zstd.ZstdCompressCtx;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrawlReaderTest {
    /** "brotli page", as a browser would get it. */
    private static final byte[] BROTLI = Base64.getDecoder().decode("CwWAYnJvdGxpIHBhZ2UD");

    @Test
    void shouldMakeARecordOfAnAnswer() throws IOException {
        byte[] page = warc("response", http("text/html; charset=iso-8859-1", "<title>T</title><p>\u00e9", ""));
        Reading reading = Reading.of(page);

        assertThat(reading.texts())
                .containsExactly("{\"id\":\"urn:1\",\"url\":\"http://a.org/1\",\"title\":\"T\",\"text\":\"\u00e9\","
                        + "\"date\":\"2020-01-01T00:00:00Z\",\"source\":\"a.org\"}");
    }

    @Test
    void shouldCountEveryRecordOfAnArchiveAsWhatItIs() throws IOException {
        byte[] answer = http("text/html", "<p>a", "");
        Reading reading = Reading.of(gzip(
                warc("warcinfo", bytes("software: x\r\n")),
                warc("request", bytes("GET / HTTP/1.0\r\n\r\n")),
                warc("response", answer),
                warc("revisit", http("text/html", "", "")),
                warc("metadata", bytes("a: b")),
                warc("conversion", "text/plain", bytes("a text")),
                warc("resource", "text/html", bytes("<p>b")),
                warc("resource", "image/png", new byte[] {1}),
                warc("response", "text/dns", bytes("20200101 a.org. 1 IN A 1.2.3.4")),
                warc("response", bytes("HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\n\r\n<p>none")),
                warc("continuation", bytes("x")),
                warc("of-ours", bytes("x"))));

        assertThat(reading.fields("text")).containsExactly("a", "a text", "b");
        assertThat(reading.passedOver().counts())
                .isEqualTo(Map.of(
                        Skip.INFO,
                        1L,
                        Skip.REQUEST,
                        1L,
                        Skip.REVISIT,
                        1L,
                        Skip.METADATA,
                        1L,
                        Skip.NOT_TEXT,
                        2L,
                        Skip.STATUS,
                        1L,
                        Skip.OTHER_TYPE,
                        2L));
        assertThat(reading.passedOver().defects()).isZero();
        assertThat(reading.parts()).isEqualTo(12);
    }

    @Test
    void shouldReadArc() throws IOException {
        byte[] answer = http("text/html", "<p>old", "");
        Reading reading = Reading.of(join(
                bytes("filedesc://a.arc 0.0.0.0 20080430204825 text/plain 4\n1 1\n\n"),
                bytes("http://a.org/x 1.2.3.4 20080430204826 text/html " + answer.length + "\n"),
                answer,
                bytes("\nhttp://a.org/y 1.2.3.4 20080430204827 no-type 12\n"),
                bytes("<html><p>raw\n")));

        assertThat(reading.fields("id"))
                .containsExactly("2008-04-30T20:48:26Z/http://a.org/x", "2008-04-30T20:48:27Z/http://a.org/y");
        assertThat(reading.fields("text")).containsExactly("old", "raw");
        assertThat(reading.passedOver().counts()).isEqualTo(Map.of(Skip.INFO, 1L));
    }

    @Test
    void shouldUndoChunksAndContentEncodings() throws IOException {
        byte[] packed = gzip(bytes("<p>packed"));
        Reading reading = Reading.of(join(
                warc(
                        "response",
                        http("text/html", "4\r\n<p>c\r\n5\r\nhunks\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n")),
                warc("response", join(head("text/html", "Content-Encoding: gzip\r\n"), packed)),
                warc("response", join(head("text/plain", "Content-Encoding: br\r\n"), BROTLI))));

        assertThat(reading.fields("text")).containsExactly("chunks", "packed", "brotli page");
    }

    /** Crawlers keep headers as they came, and bodies as they like. */
    @ParameterizedTest
    @CsvSource({"Transfer-Encoding: chunked", "Content-Encoding: gzip", "Content-Encoding: br", "Content-Length: 9999"})
    void shouldTakeABodyThatItsHeadersDoNotFitAsItIs(String header) throws IOException {
        Reading reading = Reading.of(warc("response", http("text/html", "<p>as it is", header + "\r\n")));

        assertThat(reading.fields("text")).containsExactly("as it is");
    }

    @Test
    void shouldTakeWhatAServerBrokeOffAsFarAsItGoes() throws IOException {
        byte[] packed = gzip(bytes("<p>" + "words and ".repeat(50)));
        byte[] cut = Arrays.copyOf(packed, packed.length - 8);
        Reading reading = Reading.of(join(
                warc("response", join(head("text/html", "Content-Encoding: gzip\r\n"), cut)),
                warc("response", http("text/html", "9\r\n<p>chunks\r\n99\r\nof", "Transfer-Encoding: chunked\r\n"))));

        assertThat(reading.fields("text").get(0)).startsWith("words and words");
        assertThat(reading.fields("text").get(1)).startsWith("chunks");
    }

    @Test
    void shouldPassOverAContentEncodingThatIsNone() throws IOException {
        byte[] noise = {(byte) 0x1f, (byte) 0x8b, 9, 9, (byte) 0xff, (byte) 0xfe, (byte) 0x80};
        Reading reading = Reading.of(join(
                warc("response", join(head("text/html", "Content-Encoding: gzip\r\n"), noise)),
                warc("response", http("text/html", "x", "Content-Encoding: compress\r\n"))));

        assertThat(reading.passedOver().counts()).isEqualTo(Map.of(Skip.ENCODING, 2L));
    }

    @Test
    void shouldRefuseAnAnswerThatUnpacksToTooMuch() throws IOException {
        byte[] bomb = gzip(new byte[AnswerBody.BYTES_MAX + 1]);
        Reading reading = Reading.of(join(
                warc("response", join(head("text/html", "Content-Encoding: gzip\r\n"), bomb)),
                warc("response", http("text/html", "<p>fine", ""))));

        assertThat(reading.fields("text")).containsExactly("fine");
        assertThat(reading.passedOver().counts()).isEqualTo(Map.of(Skip.EXPANSION, 1L));
    }

    @Test
    void shouldPassOverAnAnswerWithMoreContentEncodingsThanServersApply() throws IOException {
        byte[] page = bytes("<p>packed");
        byte[] fourfold = gzip(gzip(gzip(gzip(page))));
        Reading reading = Reading.of(join(
                warc("response", join(head("text/html", "Content-Encoding: gzip, gzip,gzip,gzip\r\n"), fourfold)),
                warc("response", join(head("text/html", "Content-Encoding: br,br,br,br,br\r\n"), page))));

        assertThat(reading.fields("text")).containsExactly("packed");
        assertThat(reading.passedOver().counts()).isEqualTo(Map.of(Skip.ENCODING, 1L));
        assertThat(reading.passedOver().examples())
                .containsExactly("stdin:2 at byte "
                        + warc(
                                        "response",
                                        join(head("text/html", "Content-Encoding: gzip, gzip,gzip,gzip\r\n"), fourfold))
                                .length
                        + ": content-encoding, expected at most 4 content encodings, found 5");
    }

    @Test
    void shouldPassOverAnAnswerWithAHeadOfMegabytes() throws IOException {
        byte[] fine = warc("response", http("text/html", "<p>fine", "A: b\r\n".repeat(10_000)));
        byte[] longer = warc("response", http("text/html", "<p>lost", "A: b\r\n".repeat(11_000)));
        Reading reading = Reading.of(join(longer, fine));

        assertThat(reading.fields("text")).containsExactly("fine");
        assertThat(reading.passedOver().examples())
                .containsExactly("stdin:1 at byte 0: broken, expected at most 65536 bytes of HTTP headers, found more");
    }

    /** Each says that it is as long as all that follows. */
    @Test
    void shouldReadAnArchiveOfFalseLengthsInTheTimeOfItsBytes() {
        String header = "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 16000000\r\n\r\n";
        byte[] archive = bytes(header.repeat((2 << 20) / header.length()));

        FeedFuzz.shouldEnd(archive, skipped -> reader(archive, skipped));
    }

    /** An archive may have millions of them, which must not all be kept. */
    @Test
    void shouldTellTheFirstOfManyDamagedMembersAndCountTheRest() throws IOException {
        byte[] fine = gzip(warc("response", http("text/html", "<p>fine", "")));
        byte[] falseHeaders = new byte[1 << 16];
        for (int i = 0; i < falseHeaders.length; i += 4) {
            System.arraycopy(new byte[] {0x1f, (byte) 0x8b, 8, 0}, 0, falseHeaders, i, 4);
        }
        List<PassedOverPart> told = new ArrayList<>();
        SkippedParts skipped = new SkippedParts();
        skipped.tell(told::add);
        CrawlReader reader = reader(join(fine, falseHeaders, fine), skipped);

        assertThat(reader.next()).isNotNull();
        assertThat(reader.next()).isNotNull();
        assertThat(reader.next()).isNull();

        assertThat(skipped.snapshot().parts()).isBetween(16_000L, 16_384L);
        assertThat(reader.number()).isEqualTo(2 + skipped.snapshot().parts());
        assertThat(told).hasSizeLessThan(100);
        assertThat(told.get(0).toString()).startsWith("a:2 at byte " + fine.length + ": truncated, its gzip member ");
        assertThat(told.get(told.size() - 1).detail()).matches("its gzip .*, and so on in the next \\d{5}");
    }

    /** Of archives that are packed record by record, members of a byte each are the most there may be. */
    @Test
    void shouldReadMembersOfAByteInTheTimeOfTheirBytes() throws IOException {
        byte[] members = gzip(new byte[] {'x'});
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        archive.writeBytes(gzip(bytes("WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 64000\r\n\r\n")));
        for (int i = 0; i < 64_000; i++) {
            archive.writeBytes(members);
        }

        FeedFuzz.shouldEnd(archive.toByteArray(), skipped -> reader(archive.toByteArray(), skipped));
    }

    @Test
    void shouldGoOnBehindABrokenHeader() throws IOException {
        byte[] fine = warc("response", http("text/html", "<p>fine", ""));
        Reading reading = Reading.of(join(
                fine,
                bytes("WARC/1.0\r\nWARC-Type: response\r\n\r\nno length\r\n\r\n"),
                fine,
                bytes("WARC/1.0\r\nContent-Length: many\r\n\r\n\r\n\r\n"),
                fine,
                bytes("WARX/1.0\r\nWARC-Type: response\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n"),
                fine));

        assertThat(reading.fields("text")).hasSize(4);
        assertThat(reading.passedOver().counts()).isEqualTo(Map.of(Skip.BROKEN, 3L));
        assertThat(reading.passedOver().examples())
                .first()
                .isEqualTo("stdin:2 at byte " + fine.length + ": broken, it has no Content-Length");
        assertThat(reading.records()).extracting(FeedRecord::number).containsExactly(1L, 3L, 5L, 7L);
    }

    @Test
    void shouldFindTheNextRecordInsideOfOneThatIsCut() throws IOException {
        byte[] whole = warc("response", http("text/html", "<p>" + "cut ".repeat(100), ""));
        byte[] fine = warc("response", http("text/html", "<p>fine", ""));
        Reading plain = Reading.of(join(Arrays.copyOf(whole, whole.length - 200), bytes("\r\n\r\n"), fine, fine));
        Reading last = Reading.of(join(fine, Arrays.copyOf(whole, whole.length - 200)));
        Reading packed = Reading.of(gzip(Arrays.copyOf(whole, whole.length - 200), fine, fine));

        assertThat(plain.fields("text")).containsExactly("fine", "fine");
        assertThat(plain.passedOver().counts()).isEqualTo(Map.of(Skip.TRUNCATED, 1L));
        assertThat(last.fields("text")).containsExactly("fine");
        assertThat(last.passedOver().counts()).isEqualTo(Map.of(Skip.TRUNCATED, 1L));
        assertThat(packed.fields("text")).containsExactly("fine", "fine");
        assertThat(packed.passedOver().counts()).isEqualTo(Map.of(Skip.TRUNCATED, 1L));
    }

    /** As by two downloads in one file, the first of them broken off. */
    @Test
    void shouldFindTheNextRecordInsideOfOneOfArcThatIsCut() throws IOException {
        byte[] answer = http("text/html", "<p>words", "");
        String start = "http://a.org/1 1.2.3.4 20200101000000 text/html ";
        byte[] fine = join(bytes(start + answer.length + "\n"), answer, bytes("\n"));
        byte[] cut = join(bytes(start + 2 * fine.length + "\n"), answer, bytes("\n"));
        Reading reading = Reading.of(join(fine, cut, fine, fine, fine));

        assertThat(reading.fields("text")).containsExactly("words", "words", "words", "words");
        assertThat(reading.passedOver().counts()).isEqualTo(Map.of(Skip.TRUNCATED, 1L));
    }

    /** Of its content nothing can be unpacked there, so that the name alone says what the others are. */
    @Test
    void shouldGoOnBehindAFirstMemberThatCannotBeUnpacked(@TempDir Path folder) throws IOException {
        byte[] first = gzip(warc("response", http("text/html", "<p>lost", "")));
        Arrays.fill(first, 10, 30, (byte) 0xff);
        byte[] second = gzip(warc("response", http("text/html", "<p>found", "")));
        Path file = Files.write(folder.resolve("crawl.warc.gz"), join(first, second));

        Reading reading = Reading.ofFiles(file.toString());

        assertThat(reading.fields("text")).containsExactly("found");
        assertThat(reading.passedOver().counts()).isEqualTo(Map.of(Skip.BROKEN, 1L));
    }

    @Test
    void shouldGoOnBehindADamagedGzipMember() throws IOException {
        byte[] fine = gzip(warc("response", http("text/html", "<p>fine", "")));
        byte[] damaged = fine.clone();
        damaged[20] ^= 0x55;
        Reading reading = Reading.of(join(fine, damaged, fine, Arrays.copyOf(fine, fine.length / 2)));

        assertThat(reading.fields("text")).containsExactly("fine", "fine");
        assertThat(reading.parts()).isEqualTo(4);
        assertThat(reading.passedOver().examples().get(0)).startsWith("stdin:2 at byte " + fine.length + ": broken");
        assertThat(reading.passedOver().examples().get(1)).startsWith("stdin:4 at byte " + 3 * fine.length);
    }

    /** The decoder goes on into the next member, and what it finds there may fill the record. */
    @Test
    void shouldTakeNothingOfAMemberThatIsCutWhereverThatIs() throws IOException {
        byte[] first = gzip(page("first", 10));
        byte[] cut = gzip(page("cut", 60));
        byte[] last = gzip(page("last", 900));
        for (int length = 10; length < cut.length; length++) {
            Reading reading = Reading.of(join(first, Arrays.copyOf(cut, length), last));

            assertThat(titles(reading)).as("cut at %d", length).containsExactly("first", "last");
            assertThat(reading.passedOver().examples())
                    .as("cut at %d", length)
                    .singleElement(STRING)
                    .startsWith("stdin:2 at byte " + first.length + ": truncated, ");
        }
    }

    @Test
    void shouldTakeNothingOfAMemberInWhichABitIsOther() throws IOException {
        byte[] first = gzip(page("first", 10));
        byte[] second = gzip(page("second", 30));
        byte[] third = gzip(page("third", 90));
        for (int at = 0; at < second.length; at++) {
            byte[] flipped = second.clone();
            flipped[at] ^= (byte) (1 << at % 8);
            Reading reading = Reading.of(join(first, flipped, third));
            boolean isUnharmed = reading.records().size() == 3;

            // Of the header, time, flags of no matter and system.
            assertThat(isUnharmed && at >= 10).as("byte %d", at).isFalse();
            assertThat(titles(reading)).as("byte %d", at).startsWith("first").endsWith("third");
            assertThat(reading.parts()).as("byte %d", at).isEqualTo(3);
        }
    }

    @Test
    void shouldTakeTheRecordsBeforeTheDamageOfAnArchiveThatIsOneMember() throws IOException {
        byte[] whole = gzip(join(page("first", 10), page("second", 20), page("third", 400)));
        Reading reading = Reading.of(Arrays.copyOf(whole, whole.length - 9));

        assertThat(titles(reading)).containsExactly("first", "second");
        assertThat(reading.passedOver().counts()).isEqualTo(Map.of(Skip.TRUNCATED, 1L));
    }

    @Test
    void shouldTakeNothingBeforeTheChecksumOfAZstdFrame() throws IOException {
        byte[] frame;
        try (ZstdCompressCtx zstd = new ZstdCompressCtx()) {
            frame = zstd.setChecksum(true).compress(page("first", 50_000));
        }
        byte[] flipped = frame.clone();
        flipped[flipped.length - 1] ^= 1;

        assertThat(titles(Reading.of(frame))).containsExactly("first");
        assertThat(Reading.of(flipped).records()).isEmpty();
        assertThat(Reading.of(flipped).passedOver().examples())
                .singleElement(STRING)
                .startsWith("stdin:1 at byte 0: broken, ")
                .endsWith("the checksum of its zstd frame is wrong");
    }

    private static List<String> titles(Reading reading) {
        return reading.fields("title");
    }

    /** With words that do not repeat much. */
    private static byte[] page(String title, int words) {
        SplittableRandom random = new SplittableRandom(words);
        String text =
                random.ints(words, 0, 2000).mapToObj(word -> "word" + word).collect(joining(" "));
        return warc("response", http("text/html", "<title>" + title + "</title><p>" + text, ""));
    }

    @Test
    void shouldCountTheFewBytesBehindAShortLengthToTheirRecord() throws IOException {
        byte[] fine = warc("response", http("text/html", "<p>fine", ""));
        byte[] longer = join(Arrays.copyOf(fine, fine.length - 4), bytes("xy\r\n\r\n"));

        assertThat(Reading.of(join(longer, fine)).parts()).isEqualTo(2);
    }

    @Test
    void shouldReadRecordsWhoseLinesEndWithLineFeedsAlone() throws IOException {
        Reading reading = Reading.of("""
                WARC/0.18
                WARC-Type: conversion
                Content-Type: text/plain
                Content-Length: 6

                a text

                """);

        assertThat(reading.fields("text")).containsExactly("a text");
    }

    @Test
    void shouldNotKeepARecordThatIsTooLarge() throws IOException {
        byte[] fine = warc("response", http("text/html", "<p>fine", ""));
        byte[] large = warc("response", http("text/plain", "x".repeat(CrawlReader.BLOCK_BYTES_MAX), ""));
        Reading reading = Reading.of(join(large, fine));

        assertThat(reading.fields("text")).containsExactly("fine");
        assertThat(reading.passedOver().counts()).isEqualTo(Map.of(Skip.TOO_LARGE, 1L));
    }

    @Test
    void shouldTakeTheContentWhereTheTypeIsNotKnown() throws IOException {
        Reading reading = Reading.of(join(
                warc("response", http("application/octet-stream", "<!doctype html><p>page", "")),
                warc("response", bytes("HTTP/1.0 200 OK\r\n\r\njust words")),
                warc("response", join(head("application/octet-stream", ""), new byte[] {0, (byte) 0xff, 3}))));

        assertThat(reading.fields("text")).containsExactly("page", "just words");
        assertThat(reading.passedOver().counts()).isEqualTo(Map.of(Skip.NOT_TEXT, 1L));
    }

    private static CrawlReader reader(byte[] archive, SkippedParts skipped) throws IOException {
        return new CrawlReader(
                "a", new PackedInput(new ByteArrayInputStream(archive)), skipped, Reading.RECORD_BYTES_MAX);
    }

    private static byte[] warc(String type, byte[] block) {
        return warc(type, "application/http; msgtype=response", block);
    }

    private static byte[] warc(String type, String contentType, byte[] block) {
        String header = "WARC/1.0\r\nWARC-Type: " + type + "\r\nWARC-Record-ID: <urn:1>\r\n"
                + "WARC-Target-URI: http://a.org/1\r\nWARC-Date: 2020-01-01T00:00:00Z\r\nContent-Type: " + contentType
                + "\r\nContent-Length: " + block.length + "\r\n\r\n";
        return join(bytes(header), block, bytes("\r\n\r\n"));
    }

    private static byte[] head(String contentType, String headers) {
        return bytes("HTTP/1.1 200 OK\r\nContent-Type: " + contentType + "\r\n" + headers + "\r\n");
    }

    private static byte[] http(String contentType, String body, String headers) {
        return join(head(contentType, headers), body.getBytes(StandardCharsets.ISO_8859_1));
    }
}
