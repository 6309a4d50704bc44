package io.neardup.tools.feed;

import static io.neardup.tools.feed.Reading.bytes;
import static io.neardup.tools.feed.Reading.gzip;
import static io.neardup.tools.feed.Reading.join;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import io.neardup.tools.feed.Reading.Case;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        assertThat(reading.skipped())
                .isEqualTo("revisit 1, request 1, info 1, metadata 1, other-type 2, http-status 1, not-text 2");
        assertThat(reading.skippedTotals().defects()).isZero();
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
        assertThat(reading.skipped()).isEqualTo("info 1");
    }

    private static Case archive(String what, List<String> texts, String skipped, byte[]... parts) {
        return new Case(what, join(parts), "text", texts, skipped);
    }

    private static byte[] page(String text) {
        return warc("response", http("text/html", "<p>" + text, ""));
    }

    private static byte[] encoded(String encoding, byte[] body) {
        return warc("response", join(head("text/html", "Content-Encoding: " + encoding + "\r\n"), body));
    }

    static List<Case> archives() {
        byte[] fine = page("fine");
        byte[] whole = page("cut ".repeat(100));
        byte[] cut = Arrays.copyOf(whole, whole.length - 200);
        byte[] longer = join(Arrays.copyOf(fine, fine.length - 4), bytes("xy\r\n\r\n"));
        byte[] noise = {(byte) 0x1f, (byte) 0x8b, 9, 9, (byte) 0xff, (byte) 0xfe, (byte) 0x80};
        byte[] chunks = http("text/html", "4\r\n<p>c\r\n5\r\nhunks\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n");
        byte[] answer = http("text/html", "<p>words", "");
        String arc = "http://a.org/1 1.2.3.4 20200101000000 text/html ";
        byte[] ofArc = join(bytes(arc + answer.length + "\n"), answer, bytes("\n"));
        byte[] cutArc = join(bytes(arc + 2 * ofArc.length + "\n"), answer, bytes("\n"));
        return List.of(
                archive("chunks", List.of("chunks"), "", warc("response", chunks)),
                archive("gzip", List.of("packed"), "", encoded("gzip", gzip(bytes("<p>packed")))),
                archive("zlib", List.of("packed"), "", encoded("deflate", deflated(bytes("<p>packed"), false))),
                archive("deflate", List.of("packed"), "", encoded("deflate", deflated(bytes("<p>packed"), true))),
                archive("zstd", List.of("packed page"), "", encoded("zstd", Zstd.compress(bytes("<p>packed page")))),
                archive("brotli", List.of("brotli page"), "", encoded("br", BROTLI)),
                archive("no gzip", List.of(), "content-encoding 1", encoded("gzip", noise)),
                archive("another encoding", List.of(), "content-encoding 1", encoded("compress", bytes("x"))),
                archive(
                        "an answer that unpacks to too much",
                        List.of("fine"),
                        "expansion 1",
                        encoded("gzip", gzip(new byte[CapturedPages.BODY_BYTES_MAX + 1])),
                        fine),
                archive("a cut record", List.of(), "truncated 1", cut, bytes("\r\n\r\n"), fine, fine),
                archive("a cut last one", List.of("fine"), "truncated 1", fine, cut),
                archive("a packed one that is cut", List.of("fine", "fine"), "truncated 1", gzip(cut, fine, fine)),
                // As by two downloads in one file, the first of them broken off.
                archive("a cut record of ARC", List.of("words"), "truncated 1", ofArc, cutArc, ofArc, ofArc, ofArc),
                archive("lines that end with line feeds alone", List.of("a text"), "", bytes("""
                                WARC/0.18
                                WARC-Type: conversion
                                Content-Type: text/plain
                                Content-Length: 6

                                a text

                                """)),
                archive(
                        "a record that is too large",
                        List.of("fine"),
                        "too-large 1",
                        warc("response", http("text/plain", "x".repeat(CrawlReader.BLOCK_BYTES_MAX), "")),
                        fine),
                archive(
                        "types that are not known",
                        List.of("page", "just words"),
                        "not-text 1",
                        warc("response", http("application/octet-stream", "<!doctype html><p>page", "")),
                        warc("response", bytes("HTTP/1.0 200 OK\r\n\r\njust words")),
                        warc("response", join(head("application/octet-stream", ""), new byte[] {0, (byte) 0xff, 3}))),
                archive("a few bytes behind a short length", List.of("fine"), "broken 1", longer, fine),
                // Crawlers keep headers as they came, and bodies as they like.
                asItIs("Transfer-Encoding: chunked"),
                asItIs("Content-Encoding: gzip"),
                asItIs("Content-Encoding: br"),
                asItIs("Content-Encoding: deflate"),
                asItIs("Content-Encoding: zstd"),
                archive(
                        "plain text with a mark",
                        List.of("\u00e9t\u00e9"),
                        "",
                        warc(
                                "response",
                                http(
                                        "text/plain; charset=iso-8859-1",
                                        "\u00ef\u00bb\u00bf\u00c3\u00a9t\u00c3\u00a9",
                                        ""))),
                asItIs("Content-Length: 9999"));
    }

    private static byte[] deflated(byte[] body, boolean isRaw) {
        Deflater deflater = new Deflater(Deflater.BEST_SPEED, isRaw);
        deflater.setInput(body);
        deflater.finish();
        byte[] packed = new byte[1 << 10];
        int length = deflater.deflate(packed);
        deflater.end();
        return Arrays.copyOf(packed, length);
    }

    private static Case asItIs(String header) {
        byte[] answer = http("text/html", "<p>as it is", header + "\r\n");
        return archive(header + " of another body", List.of("as it is"), "", warc("response", answer));
    }

    @ParameterizedTest
    @MethodSource("archives")
    void shouldReadWhatIsThereAndCountWhatIsSkipped(Case archive) throws IOException {
        archive.check();
    }

    @Test
    void shouldTakeWhatAServerBrokeOffAsFarAsItGoes() throws IOException {
        byte[] packed = gzip(bytes("<p>" + "words and ".repeat(50)));
        byte[] cut = Arrays.copyOf(packed, packed.length - 8);
        byte[] deflated = deflated(bytes("<p>" + "words and ".repeat(50)), true);
        byte[] zstd = Zstd.compress(bytes("<p>" + "words and ".repeat(50_000)));
        Reading reading = Reading.of(join(
                encoded("deflate", Arrays.copyOf(deflated, deflated.length - 1)),
                encoded("zstd", Arrays.copyOf(zstd, zstd.length - 8)),
                encoded("gzip", cut),
                warc("response", http("text/html", "9\r\n<p>chunks\r\n99\r\nof", "Transfer-Encoding: chunked\r\n"))));

        assertThat(reading.fields("text").subList(0, 3)).allMatch(text -> text.startsWith("words and words"));
        assertThat(reading.fields("text").get(3)).startsWith("chunks");
    }

    @Test
    void shouldPassOverAnAnswerWithMoreContentEncodingsThanServersApply() throws IOException {
        byte[] page = bytes("<p>packed");
        byte[] fourfold = encoded("gzip, gzip,gzip\r\nContent-Encoding: gzip", gzip(gzip(gzip(gzip(page)))));
        Reading reading = Reading.of(join(fourfold, encoded("br,br,br,br,br", page)));

        assertThat(reading.fields("text")).containsExactly("packed");
        assertThat(reading.skippedTotals().examples())
                .containsExactly("stdin:2 at byte " + fourfold.length
                        + ": content-encoding, expected at most 4 content encodings, found 5");
    }

    @Test
    void shouldPassOverAnAnswerWithAHeadOfMegabytes() throws IOException {
        byte[] fine = warc("response", http("text/html", "<p>fine", "A: b\r\n".repeat(10_000)));
        byte[] longer = warc("response", http("text/html", "<p>lost", "A: b\r\n".repeat(11_000)));
        Reading reading = Reading.of(join(longer, fine));

        assertThat(reading.fields("text")).containsExactly("fine");
        assertThat(reading.skippedTotals().examples())
                .containsExactly("stdin:1 at byte 0: broken, expected at most 65536 bytes of HTTP headers, found more");
    }

    /** Each says that it is as long as all that follows. */
    @Test
    void shouldReadAnArchiveOfFalseLengthsInTheTimeOfItsBytes() {
        String header = "WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 16000000\r\n\r\n";
        byte[] archive = bytes(header.repeat((2 << 20) / header.length()));

        FeedFuzz.shouldEnd(archive, skipped -> reader(archive, skipped));
    }

    @Test
    void shouldCountEachOfManyDamagedMembers() throws IOException {
        byte[] fine = gzip(page("fine"));
        byte[] falseHeaders = new byte[1 << 16];
        for (int i = 0; i < falseHeaders.length; i += 4) {
            System.arraycopy(new byte[] {0x1f, (byte) 0x8b, 8, 0}, 0, falseHeaders, i, 4);
        }
        Reading reading = Reading.of(join(fine, falseHeaders, fine));

        assertThat(reading.records()).hasSize(2);
        assertThat(reading.skippedTotals().parts()).isBetween(16_000L, 16_384L);
        assertThat(reading.records().get(1).number())
                .isEqualTo(2 + reading.skippedTotals().parts());
        assertThat(reading.skippedTotals().examples().get(0)).startsWith("stdin:2 at byte " + fine.length + ": ");
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
    void shouldGoOnBehindAMemberWithABrokenHeader() throws IOException {
        byte[] fine = page("fine");
        Reading reading = Reading.of(gzip(
                fine,
                bytes("WARC/1.0\r\nWARC-Type: response\r\n\r\nno length\r\n\r\n"),
                fine,
                bytes("WARC/1.0\r\nContent-Length: many\r\n\r\n\r\n\r\n"),
                fine,
                bytes("WARX/1.0\r\nWARC-Type: response\r\nContent-Length: 3\r\n\r\nabc\r\n\r\n"),
                fine));

        assertThat(reading.fields("text")).hasSize(4);
        assertThat(reading.skipped()).isEqualTo("broken 3");
        assertThat(reading.skippedTotals().examples())
                .first()
                .isEqualTo("stdin:2 at byte " + gzip(fine).length + ": broken, it has no Content-Length");
        assertThat(reading.records()).extracting(FeedRecord::number).containsExactly(1L, 3L, 5L, 7L);
    }

    @Test
    void shouldEndAnArchiveThatIsNotPackedWithWhatIsNoRecord() throws IOException {
        byte[] fine = page("fine");
        Reading reading = Reading.of(join(fine, bytes("WARX/1.0\r\n\r\n"), fine));

        assertThat(reading.fields("text")).containsExactly("fine");
        assertThat(reading.skippedTotals().examples())
                .containsExactly("stdin:2 at byte " + fine.length + ": broken, expected the header of a WARC or ARC"
                        + " record, found other bytes, so nothing after it is read");
    }

    /** Of its content nothing can be unpacked there, so that the name alone says what the others are. */
    @Test
    void shouldGoOnBehindAFirstMemberThatCannotBeUnpacked(@TempDir Path folder) throws IOException {
        byte[] first = gzip(page("lost"));
        Arrays.fill(first, 10, 30, (byte) 0xff);
        byte[] second = gzip(page("found"));
        Path file = Files.write(folder.resolve("crawl.warc.gz"), join(first, second));

        Reading reading = Reading.ofFiles(file.toString());

        assertThat(reading.fields("text")).containsExactly("found");
        assertThat(reading.skipped()).isEqualTo("broken 1");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5000})
    void shouldTakeWhateverLineEndsBehindARecord(int lineEnds) throws IOException {
        byte[] fine = page("fine");
        byte[] record = join(Arrays.copyOf(fine, fine.length - 4), bytes("\r\n".repeat(lineEnds)));
        Reading members = Reading.of(gzip(record, record, record));
        Reading plain = Reading.of(join(fine, record, record));

        assertThat(members.fields("text")).containsExactly("fine", "fine", "fine");
        assertThat(members.skipped()).isEmpty();
        assertThat(plain.fields("text")).containsExactly("fine", "fine", "fine");
        assertThat(plain.skipped()).isEmpty();
    }

    /** It has a length twice, that jwarc takes for a fault of who reads it. */
    @Test
    void shouldPassOverAnAnswerAloneWhoseLengthIsNone() throws IOException {
        byte[] odd = warc("response", http("text/html", "<p>odd", "Content-Length: x\r\nContent-Length: 99x\r\n"));

        assertThat(Reading.of(join(odd, page("fine"))).fields("text")).contains("fine");
    }

    /** The decoder goes on into the next member, and what it finds there may fill the record. */
    @Test
    void shouldTakeNothingOfAMemberThatIsCutWhereverThatIs() throws IOException {
        byte[] first = gzip(page("first", 10));
        byte[] cut = gzip(page("cut", 60));
        byte[] last = gzip(page("last", 900));
        for (int length = 10; length < cut.length; length++) {
            byte[] rest = Arrays.copyOf(cut, length);

            shouldTellTheSecondOf(Reading.of(join(first, rest, last)), "cut at " + length, "first", "last");
            shouldTellTheSecondOf(Reading.of(join(first, rest)), "ends at " + length, "first");
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

            // Of the header, time, flags of no matter and system do not count.
            if (at >= 10 || reading.records().size() < 3) {
                shouldTellTheSecondOf(reading, "byte " + at, "first", "third");
            }
        }
    }

    private static void shouldTellTheSecondOf(Reading reading, String what, String... titles) {
        int offset = gzip(page("first", 10)).length;
        assertThat(reading.fields("title")).as(what).containsExactly(titles);
        assertThat(reading.skippedTotals().examples())
                .as(what)
                .singleElement(STRING)
                .matches("stdin:2 at byte " + offset + ": (truncated|broken), .*");
    }

    @Test
    void shouldTakeTheRecordsBeforeTheDamageOfAnArchiveThatIsOneMember() throws IOException {
        byte[] whole = gzip(join(page("first", 10), page("second", 20), page("third", 400)));
        Reading reading = Reading.of(Arrays.copyOf(whole, whole.length - 9));

        assertThat(reading.fields("title")).containsExactly("first", "second");
        assertThat(reading.skipped()).isEqualTo("truncated 1");
    }

    @Test
    void shouldTakeNothingBeforeTheChecksumOfAZstdFrame() throws IOException {
        byte[] frame;
        try (ZstdCompressCtx zstd = new ZstdCompressCtx()) {
            frame = zstd.setChecksum(true).compress(page("first", 50_000));
        }
        byte[] flipped = frame.clone();
        flipped[flipped.length - 1] ^= 1;

        assertThat(Reading.of(frame).fields("title")).containsExactly("first");
        assertThat(Reading.of(flipped).records()).isEmpty();
        assertThat(Reading.of(flipped).skippedTotals().examples())
                .singleElement(STRING)
                .startsWith("stdin:1 at byte ")
                .contains(": broken, its zstd data cannot be unpacked");
    }

    /** With words that do not repeat much. */
    private static byte[] page(String title, int words) {
        SplittableRandom random = new SplittableRandom(words);
        String text =
                random.ints(words, 0, 2000).mapToObj(word -> "word" + word).collect(joining(" "));
        return warc("response", http("text/html", "<title>" + title + "</title><p>" + text, ""));
    }

    private static CrawlReader reader(byte[] archive, Skipped skipped) throws IOException {
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
