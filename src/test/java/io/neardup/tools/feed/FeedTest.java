package io.neardup.tools.feed;

import static io.neardup.tools.feed.Reading.bytes;
import static io.neardup.tools.feed.Reading.gzip;
import static io.neardup.tools.feed.Reading.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.luben.zstd.Zstd;
import io.neardup.tools.feed.FeedAhead.Ahead;
import io.neardup.tools.feed.SentPositions.SentFile;
import io.neardup.tools.feed.SentPositions.State;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeedTest {
    private static final int MAX = 1 << 20;

    /** As crawlers rename a file that is complete. */
    @Test
    void shouldPassOverAFileOfAFolderThatIsGoneSinceItWasListed(@TempDir Path folder) throws IOException {
        String first = write(folder, "a.jsonl", bytes("{}"));
        Path gone = Path.of(write(folder, "b.jsonl.open", bytes("{}")));
        String last = write(folder, "c.jsonl", bytes("{}"));
        try (Feed feed = new Feed(List.of(folder.toString()), InputStream.nullInputStream(), Feed.Kind.LINES, MAX)) {
            FeedRecord before = feed.next();
            Files.delete(gone);

            assertThat(shown(Objects.requireNonNull(before))).isEqualTo(line(first, 1, "{}"));
            assertThat(shown(Objects.requireNonNull(feed.next()))).isEqualTo(line(last, 1, "{}"));
            assertThat(feed.next()).isNull();
        }
    }

    /** Files in turn, whatever their names; the standard input stays open. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void shouldAgreeWithSplittingTheWholeFile(int seed, @TempDir Path folder) throws IOException {
        Random random = new Random(seed);
        int max = 1 + random.nextInt(100_000);
        byte[] content = randomLines(random);
        String plain = write(folder, "named-like.gz", content);
        // Two members, cut anywhere.
        int cut = random.nextInt(content.length);
        byte[] packed = join(gzip(Arrays.copyOf(content, cut)), gzip(Arrays.copyOfRange(content, cut, content.length)));
        String file = write(folder, "packed", packed);
        List<String> lines = new ArrayList<>(split(plain, content, max));
        lines.addAll(split(file, content, max));
        assertThat(read(List.of(plain, file), max)).isEqualTo(lines);
        assertThat(readAll(new Feed(List.of("-"), new Trickle(packed, random), Feed.Kind.LINES, max)))
                .isEqualTo(split("stdin", content, max));
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-8", "UTF-16LE"})
    void shouldGiveARecordAsSoonAsItHasCome(Charset charset) throws IOException {
        byte[] first = "\ufeff{\"id\":\"a record of a stream that goes on\"}\n".getBytes(charset);
        InputStream live = new SequenceInputStream(new ByteArrayInputStream(first), new InputStream() {
            @Override
            public int read() {
                throw new AssertionError("waited for what comes later");
            }

            @Override
            public int read(byte[] into, int from, int length) {
                return read();
            }
        });

        assertThat(new Feed(List.of("-"), live, Feed.Kind.ANY, MAX).next()).isNotNull();
    }

    @Test
    void shouldReadNothingFromNothing(@TempDir Path folder) throws IOException {
        assertThat(read(List.of(), MAX)).isEmpty();
        assertThat(read(List.of(write(folder, "empty", bytes("")), write(folder, "byte", bytes("\n"))), MAX))
                .isEmpty();
    }

    @Test
    void shouldTellAFolderWithNothingToRead(@TempDir Path folder) throws IOException {
        write(folder, ".hidden", bytes("{}"));
        assertThatThrownBy(() -> Feed.check(List.of(folder.toString()), Feed.Kind.ANY))
                .isInstanceOf(UnusableFileException.class)
                .hasMessageContaining("found none that is not hidden");

        write(folder, "a.jsonl", bytes("{}"));
        Feed.check(List.of(folder.toString()), Feed.Kind.ANY);
    }

    @Test
    void shouldTellEachPartThatItPassesOver(@TempDir Path folder) throws IOException {
        String empty = write(folder, "empty.json", bytes(""));
        String file = write(folder, "a.json", bytes("[{\"a\":1},{\"b"));
        List<Skipped.Part> told = new ArrayList<>();
        Reading reading = Reading.of(new Feed(List.of(empty, file), InputStream.nullInputStream(), Feed.Kind.ANY, MAX)
                .reportingSkipped(told::add));

        assertThat(reading.records()).hasSize(1);
        assertThat(told)
                .containsExactly(
                        new Skipped.Part(empty, 0, 0, Skip.EMPTY, "nothing is in it"),
                        new Skipped.Part(file, 2, 9, Skip.TRUNCATED, "expected a closing bracket, found the end"));
    }

    @Test
    void shouldNameFileAndLineOfLinesWhosePackingIsBroken(@TempDir Path folder) throws IOException {
        byte[] content = randomLines(new Random(1));
        byte[] packed = gzip(content);
        byte[] zstd = Zstd.compress(content);
        String cut = write(folder, "cut", Arrays.copyOf(packed, packed.length / 2));
        String cutZstd = write(folder, "cut.zst", Arrays.copyOf(zstd, zstd.length / 2));
        packed[packed.length - 6] ^= 1;
        String altered = write(folder, "altered", packed);
        String stump = write(folder, "stump", new byte[] {0x1f, (byte) 0x8b, 8});
        assertThatThrownBy(() -> read(List.of(cut), MAX))
                .hasMessageMatching(".*cut is damaged at line \\d+, byte 0 .*fetch.*");
        assertThatThrownBy(() -> read(List.of(cutZstd), MAX)).hasMessageContaining("its zstd data cannot be unpacked");
        assertThatThrownBy(() -> read(List.of(altered), MAX)).hasMessageContaining("altered is damaged at line");
        assertThatThrownBy(() -> read(List.of(stump), MAX)).hasMessageContaining("stump is damaged at line 1, byte 0");
    }

    @Test
    void shouldReadTheFilesOfAFolderInTheOrderOfTheirNames(@TempDir Path folder) throws IOException {
        Files.createDirectories(folder.resolve("b/.git"));
        String page = write(folder, "a.html", bytes("<html><title>T</title><p>page"));
        String text = write(folder, "b/notes", bytes("h\u00e9, a text"));
        String lines = write(folder, "c.jsonl", bytes("{\"id\":\"1\"}\n{\"id\":\"2\"}\n"));
        String image = write(folder, "d.png", new byte[] {(byte) 0x89, 'P', 'N', 'G', 0, 1});
        write(folder, ".hidden", bytes("x"));
        write(folder, "b/.git/config", bytes("x"));

        Reading reading = Reading.ofFiles(folder.toString());

        assertThat(reading.fields("id")).containsExactly(page, text, "1", "2");
        assertThat(reading.records()).extracting(FeedRecord::source).containsExactly(page, text, lines, lines);
        assertThat(reading.skippedTotals().counts()).isEqualTo(Map.of(Skip.HIDDEN, 2L, Skip.UNKNOWN_FORMAT, 1L));
        assertThat(reading.skippedTotals().examples())
                .containsExactly(image + " at byte 0: unknown-format, it begins like none that is known");
    }

    @Test
    void shouldReadOnceWhatLinksOfAFolderLeadTo(@TempDir Path parent) throws IOException {
        Path folder = Files.createDirectory(parent.resolve("folder"));
        Files.createDirectory(folder.resolve("b"));
        write(folder, "b/1.jsonl", bytes("{\"id\":\"1\"}"));
        write(Files.createDirectory(parent.resolve("outside")), "2.jsonl", bytes("{\"id\":\"2\"}"));
        Files.createSymbolicLink(folder.resolve("a"), folder.resolve("b"));
        Files.createSymbolicLink(folder.resolve("c.jsonl"), folder.resolve("b/1.jsonl"));
        Files.createSymbolicLink(folder.resolve("d"), parent.resolve("outside"));
        Files.createSymbolicLink(folder.resolve("e"), parent.resolve("outside"));
        Files.createSymbolicLink(folder.resolve("f.jsonl"), parent.resolve("outside/2.jsonl"));
        Files.createSymbolicLink(folder.resolve("b/around"), folder);
        Files.createSymbolicLink(folder.resolve("nowhere"), parent.resolve("missing"));
        String link = Files.createSymbolicLink(parent.resolve("link"), folder).toString();

        Feed.check(List.of(link), Feed.Kind.ANY);
        Reading reading = Reading.ofFiles(link);

        assertThat(reading.records())
                .extracting(FeedRecord::source)
                .containsExactly(link + "/b/1.jsonl", link + "/d/2.jsonl");
        assertThat(reading.skipped()).isEqualTo("link 2");
    }

    @Test
    @Timeout(60)
    void shouldWalkAFolderOnceHoweverManyWaysOfLinksLeadToIt(@TempDir Path parent) throws IOException {
        Path folder = Files.createDirectory(parent.resolve("folder"));
        for (int level = 0; level < 30; level++) {
            Path outside = Files.createDirectory(parent.resolve("level" + level));
            Files.createSymbolicLink(outside.resolve("a"), parent.resolve("level" + (level + 1)));
            Files.createSymbolicLink(outside.resolve("b"), parent.resolve("level" + (level + 1)));
        }
        write(Files.createDirectory(parent.resolve("level30")), "1.jsonl", bytes("{\"id\":\"1\"}"));
        Files.createSymbolicLink(folder.resolve("l"), parent.resolve("level0"));

        Reading reading = Reading.ofFiles(folder.toString());

        assertThat(reading.records())
                .extracting(FeedRecord::source)
                .containsExactly(folder + "/l" + "/a".repeat(30) + "/1.jsonl");
    }

    @Test
    void shouldNotTakeAStreamForAFileThatIsRead(@TempDir Path folder) throws IOException {
        assertThat(Feed.reads(folder.toString(), List.of(Path.of("/dev/stderr"), Path.of("/dev/null"))))
                .isFalse();
    }

    /** As of {@code gzip a.jsonl; echo >> a.jsonl.gz}. */
    @Test
    void shouldTellOtherBytesBehindTheLastGzipMemberAndLoseNothing(@TempDir Path folder) throws IOException {
        byte[] rest = bytes("\n");
        byte[] lines = gzip(bytes("{\"id\":\"1\"}\n"), bytes("{\"id\":\"2\"}"));
        String first = write(folder, "a.jsonl.gz", join(lines, rest));
        write(folder, "b.html.gz", join(gzip(bytes("<html><p>page")), rest));
        write(folder, "c.json.gz", join(gzip(bytes("[{\"id\":\"3\"}]")), rest));

        Reading reading = Reading.ofFiles(folder.toString());

        assertThat(reading.fields("id")).containsExactly("1", "2", folder + "/b.html.gz", "3");
        assertThat(reading.skipped()).isEqualTo("broken 3");
        assertThat(reading.skippedTotals().examples())
                .contains(first + ":3 at byte " + lines.length
                        + ": broken, expected a gzip member or the end, found other bytes");
    }

    @Test
    void shouldReadLinesWithoutTheMarkOfTheirEncoding() throws IOException {
        for (Charset charset : List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE)) {
            Reading reading = Reading.of("\ufeff{\"id\":1}\n{\"id\":2}\n".getBytes(charset));

            InputStream texts = new ByteArrayInputStream("\ufeffone\ntwo".getBytes(charset));
            assertThat(readAll(new Feed(List.of("-"), texts, Feed.Kind.LINES, MAX)))
                    .containsExactly(line("stdin", 1, "one"), line("stdin", 2, "two"));
            assertThat(reading.texts()).containsExactly("{\"id\":1}", "{\"id\":2}");
            assertThat(reading.records()).extracting(FeedRecord::number).containsExactly(1L, 2L);
        }
    }

    /** Where not even the first record is there. */
    @ParameterizedTest
    @ValueSource(strings = {"<rss><channel><item>", "[{\"id\":1},", "id,text\n1,a\n"})
    void shouldGoOnBehindAFileOfAFolderThatIsCutAtItsStart(String start, @TempDir Path folder) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        byte[] noise = new byte[50_000];
        random.nextBytes(noise);
        byte[] packed = gzip(join(bytes(start), bytes(Base64.getEncoder().encodeToString(noise))));
        write(folder, "a", Arrays.copyOf(packed, 1_500));
        write(folder, "b.jsonl", bytes("{\"id\":\"fine\"}\n"));

        Reading reading = Reading.ofFiles(folder.toString());

        assertThat(reading.fields("id")).contains("fine");
        assertThat(reading.skipped()).matches("(truncated|broken) 1");
    }

    @Test
    void shouldSayWhatWasLookedForInAFileOfNoKnownFormat(@TempDir Path folder) throws IOException {
        String file = write(folder, "a.bin", new byte[33]);

        assertThatThrownBy(() -> Reading.ofFiles(file))
                .isInstanceOf(UnusableFileException.class)
                .hasMessageStartingWith(file + ": expected JSON lines, a JSON array, CSV or TSV")
                .hasMessageContaining("in its first 33 bytes");
        assertThatThrownBy(() -> Feed.check(List.of(file), Feed.Kind.ANY)).isInstanceOf(UnusableFileException.class);
    }

    /** What is read to tell the format may come a byte at a time. */
    @Test
    void shouldTellTheFormatOfMembersOfAByteInTheTimeOfTheirBytes() throws IOException {
        byte[] member = gzip(bytes("x"));
        byte[] packed = new byte[member.length * FeedFormat.HEAD_BYTES];
        for (int at = 0; at < packed.length; at += member.length) {
            System.arraycopy(member, 0, packed, at, member.length);
        }

        FeedFuzz.shouldEnd(packed, skipped -> {
            try (Feed feed = new Feed(List.of("-"), new ByteArrayInputStream(packed), Feed.Kind.ANY, MAX)) {
                assertThatThrownBy(feed::next).isInstanceOf(UnusableFileException.class);
            }
            return new JsonLinesReader("none", InputStream.nullInputStream(), skipped, MAX);
        });
    }

    private static List<String> read(List<String> files, int max) throws IOException {
        return readAll(new Feed(files, InputStream.nullInputStream(), Feed.Kind.LINES, max));
    }

    private static List<String> readAll(Feed feed) throws IOException {
        return Reading.of(feed).records().stream().map(FeedTest::shown).toList();
    }

    /** Lines by splitting a string in which every char is a byte. */
    private static List<String> split(String source, byte[] content, int max) {
        List<String> lines = new ArrayList<>();
        String[] parts = new String(content, StandardCharsets.ISO_8859_1).split("\n", -1);
        for (int i = 0; i < parts.length; i++) {
            byte[] bytes = parts[i].getBytes(StandardCharsets.ISO_8859_1);
            if (!parts[i].matches("\\s*")) {
                lines.add(
                        shown(new FeedRecord(source, i + 1L, bytes.length > max ? new byte[0] : bytes, bytes.length)));
            }
        }
        return lines;
    }

    private static byte[] randomLines(Random random) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (int i = 0; i < 300; i++) {
            boolean huge = random.nextInt(40) == 0;
            byte[] line = new byte[random.nextInt(huge ? 300_000 : 60)];
            random.nextBytes(line);
            if (random.nextInt(5) == 0) {
                Arrays.fill(line, (byte) ' ');
            }
            content.writeBytes(line);
            content.write('\n');
        }
        content.writeBytes(bytes("end"));
        return content.toByteArray();
    }

    private static String line(String source, long number, String text) {
        return shown(new FeedRecord(source, number, bytes(text), text.length()));
    }

    private static String shown(FeedRecord record) {
        return record.position() + " " + record.length() + " "
                + new String(record.bytes(), StandardCharsets.ISO_8859_1);
    }

    private static String write(Path folder, String name, byte[] content) throws IOException {
        return Files.write(folder.resolve(name), content).toString();
    }

    /** Gives a few bytes at a time and never has any available, as a pipe between two writes. */
    private static final class Trickle extends InputStream {
        private final InputStream in;
        private final Random random;

        Trickle(byte[] content, Random random) {
            this.in = new ByteArrayInputStream(content);
            this.random = random;
        }

        @Override
        public int read() throws IOException {
            return in.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            return in.read(into, offset, Math.min(length, 1 + random.nextInt(5000)));
        }

        @Override
        public void close() {
            throw new AssertionError("closed");
        }
    }

    // ---- ahead of who sends

    private static final long WAIT_MILLIS = 10_000;
    private static final SentFile STREAM = new SentFile(null, new State(0, 0, 0));

    @Test
    @Timeout(120)
    void shouldNameTheFileOfAFaultOfAReader() {
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
            assertThatThrownBy(() -> feed.next(WAIT_MILLIS))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("faulty cannot be read at record 1 (java.lang.IllegalStateException)")
                    .cause()
                    .isSameAs(fault);
        }
    }

    @Test
    @Timeout(120)
    void shouldGiveRecordsThatAreLongerThanWhatIsReadAheadAlsoOnceMore() throws Exception {
        byte[] lines = ("x".repeat(5 << 20) + "\n").repeat(2).getBytes(StandardCharsets.UTF_8);
        Feed lengthy = Feed.ofStream("long", new ByteArrayInputStream(lines), 6 << 20);
        try (FeedAhead feed = new FeedAhead(lengthy, () -> STREAM)) {
            Ahead one = Objects.requireNonNull(feed.next(WAIT_MILLIS));
            Ahead two = Objects.requireNonNull(feed.next(WAIT_MILLIS));
            assertThat(feed.next(WAIT_MILLIS)).isNull();
            assertThat(feed.isEnded()).isTrue();

            feed.putBack(List.of(one, two));

            assertThat(feed.isEnded()).isFalse();
            assertThat(feed.next(WAIT_MILLIS)).isSameAs(one);
            assertThat(feed.next(WAIT_MILLIS)).isSameAs(two);
            assertThat(feed.next(WAIT_MILLIS)).isNull();
            assertThat(feed.isEnded()).isTrue();
        }
    }

    @Test
    @Timeout(120)
    void shouldReadNoFurtherAheadThanItMayHold() throws Exception {
        AtomicLong read = new AtomicLong();
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return read.incrementAndGet() % 1_000 == 0 ? '\n' : 'x';
            }

            @Override
            public int read(byte[] into, int from, int length) {
                if (length > 0) {
                    into[from] = (byte) read();
                }
                return Math.min(length, 1);
            }
        };
        try (FeedAhead feed = new FeedAhead(Feed.ofStream("endless", endless, 10_000), () -> STREAM)) {
            assertThat(feed.next(WAIT_MILLIS)).isNotNull();

            await().during(Duration.ofSeconds(1))
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> read.get() < 5 << 20 && read.get() > 3 << 20);
        }
    }
}
