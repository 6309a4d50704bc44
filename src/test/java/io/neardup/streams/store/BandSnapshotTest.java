package io.neardup.streams.store;

import static io.neardup.streams.store.BandTables.candidates;
import static io.neardup.streams.store.BandTables.ref;
import static io.neardup.streams.store.BandTables.returned;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.neardup.engine.lsh.BandKeys;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.streams.store.BandSnapshot.Header;
import io.neardup.streams.topology.InternalTopics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BandSnapshotTest {
    private static final long HOUR = 3_600_000;
    private static final Header HEADER = new Header(1_000 * HOUR, 77);
    private static final String CHANGELOG = "index/topic/3";
    private static final DocumentRef NOBODY = new DocumentRef(9, 9);

    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("buckets.snapshot");
    }

    /** Tables that all get the same operations, each with a changelog of its own. */
    private final class Twins {
        private final Shape shape;
        private final Random random;
        private final List<BandKeys> keys = new ArrayList<>();
        private final Changelog originalLog = new Changelog();
        private final LoggedBandTable original;
        private Changelog otherLog = new Changelog();
        private LoggedBandTable other;

        Twins(Shape shape, int seed) {
            this.shape = shape;
            random = new Random(seed);
            for (int document = 0; document < 400; document++) {
                keys.add(BandKeys.of(
                        random.longs(shape.bands(), 0, shape.keysPerBand()).toArray()));
            }
            original = open(originalLog);
            other = open(otherLog);
        }

        private LoggedBandTable open(Changelog log) {
            return new LoggedBandTable(new BandTable(shape.bands(), shape.bucketMax()), shape.recentDocuments(), log);
        }

        void steps(int count) {
            for (int i = 0; i < count; i++) {
                step();
            }
        }

        void step() {
            boolean mostlyInserts = random.nextInt(3) > 0;
            for (int i = random.nextInt(random.nextInt(10) == 0 ? 150 : 12); i > 0; i--) {
                int document = random.nextInt(keys.size());
                if (random.nextInt(4) == 0 == mostlyInserts) {
                    original.remove(ref(document), keys.get(document));
                    other.remove(ref(document), keys.get(document));
                } else {
                    assertSameCandidates(ref(document), document);
                    original.insert(ref(document), keys.get(document));
                    other.insert(ref(document), keys.get(document));
                }
            }
            original.writeChanges();
            other.writeChanges();
        }

        private void assertSameCandidates(DocumentRef asker, int document) {
            Map<DocumentRef, Integer> found = candidates(other, asker, keys.get(document));
            Map<DocumentRef, Integer> expected = candidates(original, asker, keys.get(document));
            if (!found.equals(expected)) {
                fail("document %d: expected %s, found %s".formatted(document, expected, found));
            }
        }

        /** As long as both have written the same segments: who merges others makes their documents older. */
        void assertSameOrder() {
            for (BandKeys of : keys) {
                if (!returned(other, NOBODY, of).equals(returned(original, NOBODY, of))) {
                    assertThat(returned(other, NOBODY, of)).isEqualTo(returned(original, NOBODY, of));
                }
            }
        }

        void writeAndReadOther() throws IOException {
            snapshot().write(other, HEADER);
            other = read();
        }

        RunningSnapshots.RunningSnapshot begin() throws IOException {
            return RunningSnapshots.RunningSnapshot.begin(snapshot(), original, Runnable::run);
        }

        LoggedBandTable read() throws IOException {
            var content = snapshot()
                    .read(HEADER.writtenMillis(), shape.recentDocuments(), (key, value) -> otherLog.write(key, value));
            assertThat(content.orElseThrow().header()).isEqualTo(HEADER);
            return content.orElseThrow().table();
        }

        BandSnapshot snapshot() {
            return new BandSnapshot(file(), CHANGELOG, shape.bands(), shape.bucketMax());
        }

        /** The other is what a crash leaves: the snapshot, and of the changelog behind it what compaction leaves. */
        void crashOther(int offset) throws IOException {
            Changelog behind = new Changelog();
            originalLog.from(offset).forEach(entry -> behind.write(entry.key(), entry.value()));
            otherLog = new Changelog();
            other = read();
            Changelog left = random.nextBoolean() ? behind : behind.thinned(random);
            left.from(0).forEach(entry -> other.restore(entry.key(), entry.value()));
        }

        void assertSame() {
            for (int document = 0; document < keys.size(); document++) {
                assertSameCandidates(NOBODY, document);
            }
            assertThat(other.documents()).isEqualTo(original.documents());
        }

        void assertSameChangelogs() {
            assertThat(otherLog.from(0))
                    .usingRecursiveFieldByFieldElementComparator()
                    .isEqualTo(originalLog.from(0));
        }
    }

    private record Shape(int bands, int bucketMax, int keysPerBand, int recentDocuments) {}

    private static final Shape USUAL = new Shape(3, 4, 10, 40);

    private static Stream<Shape> shapes() {
        return Stream.of(
                new Shape(1, 1000, 30, 1000),
                USUAL,
                new Shape(2, 1, 20, 10),
                new Shape(3, 5, 60, 200),
                new Shape(2, 1000, 100000, 64),
                new Shape(2, 3, 1000, 0));
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void shouldGoOnAsIfItHadNeverStopped(Shape shape) throws IOException {
        for (int seed = 0; seed < 3; seed++) {
            Twins twins = new Twins(shape, seed);
            for (int step = 0; step < 200; step++) {
                twins.step();
                if (twins.random.nextInt(15) == 0) {
                    twins.writeAndReadOther();
                }
            }
            twins.assertSame();
            twins.assertSameOrder();
            twins.assertSameChangelogs();
            assertThat(twins.other.bytes()).isEqualTo(twins.original.bytes());
        }
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void shouldBeRestoredFromTheSnapshotAndWhatCameAfterIt(Shape shape) throws IOException {
        for (int seed = 0; seed < 6; seed++) {
            Twins twins = new Twins(shape, seed);
            int offset = -1;
            for (int step = 0; step < 150; step++) {
                twins.step();
                int drawn = twins.random.nextInt(25);
                if (drawn == 0) {
                    twins.snapshot().write(twins.original, HEADER);
                    offset = twins.originalLog.size();
                } else if (drawn == 1 && offset >= 0) {
                    twins.crashOther(offset);
                    twins.assertSame();
                    twins.assertSameOrder();
                }
            }
            twins.assertSame();
        }
    }

    @ParameterizedTest
    @MethodSource("shapes")
    void shouldHoldTheTableAsItIsWhenItIsSealedThoughItChangedInBetween(Shape shape) throws IOException {
        for (int seed = 0; seed < 6; seed++) {
            Twins twins = new Twins(shape, seed);
            for (int round = 0; round < 5; round++) {
                twins.steps(40);
                RunningSnapshots.RunningSnapshot running = twins.begin();
                int slice = 1 + twins.random.nextInt(3_000);
                for (boolean isReady = false; !isReady; isReady = running.advance(slice)) {
                    twins.steps(1);
                }
                twins.steps(twins.random.nextInt(20));
                running.seal(HEADER);
                int offset = twins.originalLog.size();
                assertThat(running.written()).contains(HEADER);
                running.end();
                twins.steps(twins.random.nextInt(2) * 20);
                twins.crashOther(offset);
                twins.assertSame();
                twins.assertSameOrder();
            }
        }
    }

    @Test
    void shouldGoOnAsBeforeWhereARunningOneIsGivenUp() throws IOException {
        Twins twins = new Twins(USUAL, 5);
        twins.steps(50);
        twins.snapshot().write(twins.original, HEADER);
        byte[] before = Files.readAllBytes(file());
        for (int round = 0; round < 10; round++) {
            RunningSnapshots.RunningSnapshot running = twins.begin();
            twins.steps(10);
            running.advance(5_000);
            twins.steps(10);
            assertThat(running.end()).isEmpty();
        }
        twins.assertSame();

        assertThat(file()).hasBinaryContent(before);
        assertOnlyFile();
    }

    @Test
    void shouldFailWhereTheDiskDoesNotTakeIt() throws IOException {
        Files.createDirectory(folder.resolve("buckets.snapshot.slices.tmp"));
        Twins twins = new Twins(USUAL, 5);
        RunningSnapshots.RunningSnapshot running = twins.begin();

        assertThatThrownBy(() -> running.advance(1)).isInstanceOf(IOException.class);
        assertThat(running.end()).isEmpty();
    }

    private byte[] writeOne() throws IOException {
        Twins twins = new Twins(USUAL, 1);
        twins.steps(50);
        twins.writeAndReadOther();
        return Files.readAllBytes(file());
    }

    private boolean isUsed(int bands, int bucketMax, long nowMillis) {
        try {
            return new BandSnapshot(file(), CHANGELOG, bands, bucketMax)
                    .read(nowMillis, new Changelog())
                    .isPresent();
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isUsed(byte[] content) throws IOException {
        Files.write(file(), content);
        return isUsed(3, 4, HEADER.writtenMillis());
    }

    @Test
    void shouldNotUseWhatIsCutOff() throws IOException {
        byte[] whole = writeOne();
        Random random = new Random(2);
        List<Integer> lengths = new ArrayList<>(List.of(0, 1, 3, 4, 7, 8, 12, 20, 27, 28, 31, 32, 40));
        List.of(1, 2, 3, 4, 5, 8, 100).forEach(less -> lengths.add(whole.length - less));
        random.ints(40, 0, whole.length).forEach(lengths::add);

        for (int length : lengths) {
            assertThat(isUsed(Arrays.copyOf(whole, length)))
                    .describedAs("%d of %d bytes", length, whole.length)
                    .isFalse();
        }
        assertThat(isUsed(Arrays.copyOf(whole, whole.length + 1))).isFalse();
        assertThat(isUsed(whole)).isTrue();
    }

    @Test
    void shouldNotUseWhatHasAFlippedBit() throws IOException {
        byte[] whole = writeOne();
        Random random = new Random(3);

        for (int i = 0; i < 120; i++) {
            int at = i < 40 ? i : random.nextInt(whole.length);
            byte[] flipped = whole.clone();
            flipped[at] ^= (byte) (1 << random.nextInt(8));
            assertThat(isUsed(flipped)).describedAs("byte %d", at).isFalse();
        }
    }

    @Test
    void shouldUseOnlyWhatIsOfItsVersionAndShapeAndNotOld() throws IOException {
        byte[] whole = writeOne();

        assertThat(isUsed(2, 4, HEADER.writtenMillis())).isFalse();
        assertThat(isUsed(3, 5, HEADER.writtenMillis())).isFalse();
        for (int hours : List.of(-1_000, -13, -12, 0, 12, 13, 1_000)) {
            assertThat(isUsed(3, 4, HEADER.writtenMillis() + hours * HOUR))
                    .as("after %d hours", hours)
                    .isEqualTo(Math.abs(hours) <= 12);
        }
        ByteBuffer.wrap(whole).putInt(BandSnapshot.VERSION + 1);
        assertThat(isUsed(whole)).isFalse();
    }

    @Test
    void shouldUseNothingOfAnotherChangelog() throws IOException {
        writeOne();

        for (String other : List.of("index/topic/4", "index/other/3", "other/topic/3")) {
            BandSnapshot ofOther = new BandSnapshot(file(), other, 3, 4);
            String message = "changelog it is of: expected " + other + ", found index/topic/3";
            assertThatThrownBy(() -> ofOther.read(HEADER.writtenMillis(), new Changelog()))
                    .isInstanceOf(IOException.class)
                    .hasMessage(message);
            assertThatThrownBy(() -> ofOther.header(HEADER.writtenMillis()))
                    .isInstanceOf(IOException.class)
                    .hasMessage(message);
        }
    }

    @Test
    void shouldWriteTheBytesOfItsLayout() throws IOException {
        LoggedBandTable empty = new LoggedBandTable(new BandTable(1, 7), new Changelog());
        new BandSnapshot(file(), "i/t/5", 1, 7).write(empty, new Header(8, 9));

        String hex = HexFormat.of().formatHex(Files.readAllBytes(file()));
        assertThat(hex)
                .startsWith("00000004" + "00000005" + "692f742f35" + "00000001" + "00000007")
                .contains("0000000000000008" + "0000000000000009");
        assertThat(hex.length() - hex.indexOf("0000000000000008" + "0000000000000009"))
                .isEqualTo(2 * (2 * Long.BYTES + Integer.BYTES));
    }

    @Test
    void shouldTellItsHeaderWithoutTheRest() throws IOException {
        BandSnapshot snapshot = new BandSnapshot(file(), CHANGELOG, 3, 4);
        assertThat(isUsed(3, 4, HEADER.writtenMillis())).isFalse();
        assertThat(snapshot.header(HEADER.writtenMillis())).isEmpty();
        byte[] whole = writeOne();
        byte[] damaged = whole.clone();
        damaged[whole.length / 2] ^= 1;
        Files.write(file(), damaged);
        assertThat(snapshot.header(HEADER.writtenMillis())).contains(HEADER);
        assertThatThrownBy(() -> snapshot.header(HEADER.writtenMillis() + 13 * HOUR))
                .isInstanceOf(IOException.class);
        byte[] later = whole.clone();
        ByteBuffer.wrap(later).putInt(BandSnapshot.VERSION + 1);
        for (byte[] other : Stream.concat(
                        Stream.of(later), Stream.of(0, 3, 4, 12, 31).map(length -> Arrays.copyOf(whole, length)))
                .toList()) {
            Files.write(file(), other);
            assertThatThrownBy(() -> snapshot.header(HEADER.writtenMillis())).isInstanceOf(IOException.class);
        }
        for (int less = 1; less < 100; less++) {
            // What stands where the time is expected says nothing.
            Files.write(file(), Arrays.copyOf(whole, whole.length - less));
            assertThatThrownBy(() -> snapshot.header(HEADER.writtenMillis()))
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("checksum: expected ");
        }
    }

    @Test
    void shouldKeepTheOlderFileUntilTheNewOneIsWholeAndReplaceWhatAKillLeftUnfinished() throws IOException {
        Files.write(folder.resolve("buckets.snapshot.tmp"), new byte[1_000_000]);
        byte[] whole = writeOne();
        assertThat(isUsed(whole)).isTrue();
        assertOnlyFile();
        Files.createDirectory(folder.resolve("buckets.snapshot.tmp"));
        Twins twins = new Twins(USUAL, 2);
        twins.step();
        assertThatThrownBy(() -> twins.snapshot().write(twins.other, HEADER)).isInstanceOf(IOException.class);
        assertThat(file()).hasBinaryContent(whole);
    }

    private void assertOnlyFile() throws IOException {
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file());
        }
    }

    /** What a task leaves elsewhere may be as old again when it comes back, and a restoring may take as long. */
    @Test
    void shouldBeUsedForAFourthOfTheTimeThatMarkersOfRemovalsAreKept() {
        assertThat(BandSnapshot.AGE_MAX.multipliedBy(4)).isLessThanOrEqualTo(InternalTopics.DELETE_RETENTION);
    }
}
