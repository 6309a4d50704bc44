package io.neardup.streams.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.neardup.testing.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OriginalsDiskTest {
    private static final long HOUR = 3_600_000;
    private static final String CHANGELOG = "index/topic/3";
    private static final byte[] NOTHING = {};

    @TempDir
    private Path folder;

    private final OriginalsMemory memory = new OriginalsMemory(8 << 20);
    private final List<OriginalsDisk> opened = new ArrayList<>();
    private long nowMillis = 1_000 * HOUR;
    private int kills;

    private OriginalsDisk open(Path path) {
        OriginalsDisk disk =
                OriginalsDisk.open(path, CHANGELOG, memory, () -> nowMillis, OriginalsDiskTest::secondaryKeys);
        opened.add(disk);
        return disk;
    }

    private OriginalsDisk open() {
        return open(folder.resolve("disk"));
    }

    private OriginalsDisk reopen(OriginalsDisk before) {
        close(before);
        return open();
    }

    private void close(OriginalsDisk disk) {
        opened.remove(disk);
        disk.close();
    }

    @AfterEach
    void closeAll() {
        opened.forEach(OriginalsDisk::close);
    }

    /** What a process that is killed now leaves: the files as they are. */
    private OriginalsDisk openAsKilled() {
        Path to = folder.resolve("killed" + kills++);
        OriginalStoreHarness.copy(folder.resolve("disk"), to);
        return open(to);
    }

    private static void put(OriginalsDisk disk, String key, String value) {
        disk.put(hex(key), hex(value));
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    private static String entry(byte[] key, byte[] value) {
        return HexFormat.of().formatHex(key) + "=" + HexFormat.of().formatHex(value);
    }

    private static List<String> all(OriginalsDisk disk) {
        List<String> found = new ArrayList<>();
        DiskEntries.forEach(disk, (key, value) -> found.add(entry(key, value)));
        return found;
    }

    /** One that has an entry committed, and no other. */
    private OriginalsDisk openWithOne() {
        OriginalsDisk disk = open();
        put(disk, "01", "aa");
        disk.commit(7);
        return disk;
    }

    /** The offset is in the batch itself: there is no point between the two. */
    @Test
    void shouldHaveWhatBelongsToItsOffsetWhereverItIsKilled() {
        OriginalsDisk disk = open();
        put(disk, "0001", "aa");
        put(disk, "01", "aa");
        assertKilledHas(null);
        disk.commit(7);
        assertKilledHas(null);
        disk.flush(true);
        assertKilledHas(7L, "0001=aa", "01=aa");
        put(disk, "0002", "bb");
        put(disk, "02", "bb");
        disk.flush(true);
        assertKilledHas(7L, "0001=aa", "01=aa");
        disk.commit(9);
        assertKilledHas(7L, "0001=aa", "01=aa");
        disk.remove(hex("0001"));
        disk.remove(hex("01"));
        disk.commit(10);
        disk.flush(true);
        assertKilledHas(10L, "0002=bb", "02=bb");
    }

    /** Values that begin with a byte from 240 on are found by it. */
    private static List<byte[]> secondaryKeys(byte[] key, byte[] value) {
        return Byte.toUnsignedInt(value[0]) < 240
                ? List.of()
                : List.of(ByteBuffer.allocate(1 + key.length)
                        .put(value[0])
                        .put(key)
                        .array());
    }

    private void assertKilledHas(@Nullable Long offset, String... entries) {
        OriginalsDisk killed = openAsKilled();
        assertThat(killed.offset().isPresent() ? killed.offset().getAsLong() : null)
                .isEqualTo(offset);
        assertThat(all(killed)).containsExactly(entries);
    }

    /** The state at some commit, and the offset of that one, whichever RocksDB has written to files by then. */
    @ParameterizedTest
    @ValueSource(ints = {3, 211})
    void shouldHaveTheStateOfOneCommitAfterAKillUnderLoad(int commits) throws Exception {
        Process writer = new ProcessBuilder(JavaCommand.of(
                        List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                        List.of(Writer.class.getName(), folder.resolve("disk").toString())))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said = writer.inputReader(UTF_8)) {
            assertThat(said.lines().skip(commits).findFirst()).isPresent();
        } finally {
            writer.destroyForcibly().waitFor();
        }
        OriginalsDisk disk = open();
        Map<String, Integer> found = new TreeMap<>();
        DiskEntries.forEach(disk, (key, value) -> found.put(HexFormat.of().formatHex(key), Arrays.hashCode(value)));
        long offset = disk.offset().orElse(0);
        Map<String, Integer> expected = new TreeMap<>();
        for (long commit = 1; commit <= offset; commit++) {
            Writer.changes(commit, (key, value) -> {
                String name = HexFormat.of().formatHex(key);
                expected.compute(name, (same, before) -> value == null ? null : Arrays.hashCode(value));
                if (key[0] == 0 && Writer.isIndexed(key)) {
                    expected.compute("f0" + name, (same, before) -> value == null ? null : Arrays.hashCode(NOTHING));
                }
            });
        }
        assertThat(found).isEqualTo(expected);
        // Two kinds of files, each with up to three buffers of 1 MB, which a slow machine has not written yet.
        assertThat(offset).isGreaterThan(commits - 70);
    }

    /** A process that commits until it is killed, and says so each time. */
    static final class Writer {
        public static void main(String[] folder) {
            OriginalsDisk disk = OriginalsDisk.open(
                    Path.of(folder[0]),
                    CHANGELOG,
                    new OriginalsMemory(8 << 20),
                    () -> 1_000 * HOUR,
                    OriginalsDiskTest::secondaryKeys);
            for (long commit = 1; ; commit++) {
                changes(commit, (key, value) -> {
                    if (value == null) {
                        disk.remove(key);
                    } else {
                        disk.put(key, value);
                    }
                });
                disk.commit(commit);
                System.out.println(commit);
            }
        }

        static boolean isIndexed(byte[] key) {
            return key[1] % 2 == 0;
        }

        static void changes(long commit, BiConsumer<byte[], byte @Nullable []> change) {
            Random random = new Random(commit);
            for (int i = 0; i < 50; i++) {
                byte[] key = {(byte) random.nextInt(2), (byte) random.nextInt(250), (byte) random.nextInt(2)};
                byte[] value = new byte[2_000];
                random.nextBytes(value);
                value[0] = (byte) (isIndexed(key) ? 240 : 0);
                change.accept(key, random.nextInt(4) == 0 ? null : value);
            }
        }
    }

    /** Whatever is committed, in files or not, and whatever is changed over it. */
    @Test
    void shouldReadWhatStandsThereInTheOrderOfKeys() {
        OriginalsDisk disk = open();
        NavigableMap<String, String> expected = new TreeMap<>();
        Random random = new Random(7);
        for (int step = 1; step <= 3_000; step++) {
            String key = "%02x%02x".formatted(random.nextInt(2), random.nextInt(24));
            String value = "%02x".formatted(random.nextInt(240));
            if (random.nextInt(3) == 0) {
                disk.remove(hex(key));
                expected.remove(key);
            } else {
                put(disk, key, value);
                expected.put(key, value);
            }
            if (random.nextInt(12) == 0) {
                disk.commit(step);
            }
            if (random.nextInt(200) == 0) {
                disk.flush(true);
            }
            int family = random.nextInt(2);
            String from = "%02x%02x".formatted(family, random.nextInt(24));
            String to = "%02x%02x".formatted(family, 24);
            int max = 1 + random.nextInt(12);
            List<String> found = new ArrayList<>();
            disk.visit(hex(from), hex(to), (at, stands) -> {
                found.add(entry(at, stands));
                return found.size() < max;
            });
            assertThat(found)
                    .isEqualTo(expected.subMap(from, to).entrySet().stream()
                            .map(Object::toString)
                            .limit(max)
                            .toList());
            byte[] stands = disk.get(hex(key));
            assertThat(stands == null ? null : HexFormat.of().formatHex(stands)).isEqualTo(expected.get(key));
        }
    }

    @Test
    void shouldWriteWhatIsCommittedToFilesAfterSomeTimeWhateverTheLoad() {
        OriginalsDisk disk = open();
        nowMillis += OriginalsDisk.FLUSH_AFTER.toMillis() + 1;
        put(disk, "01", "aa");
        disk.commit(7);

        awaitKilledIsUsable();
    }

    private void awaitKilledIsUsable() {
        // RocksDB may remove a file while the folder is copied: then it is copied again.
        await().atMost(Duration.ofMinutes(2))
                .ignoreExceptionsInstanceOf(UncheckedIOException.class)
                .until(() -> {
                    try (OriginalsDisk killed = openAsKilled()) {
                        opened.remove(killed);
                        return killed.offset().isPresent();
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSoonBeYoungOnDiskAfterALongStop(boolean isChanged) {
        OriginalsDisk disk = reopen(openWithOne());
        nowMillis += 11 * HOUR;
        disk = reopen(disk);
        if (isChanged) {
            put(disk, "02", "bb");
            disk.commit(8);
        } else {
            disk.confirm();
        }
        nowMillis += 2 * HOUR;

        awaitKilledIsUsable();
    }

    /** Each stays open, until what is in it expires. */
    @Test
    void shouldMakeFewFilesInADay() throws IOException {
        OriginalsDisk disk = open();
        for (int minute = 0; minute < 24 * 60; minute++) {
            put(disk, "00%04x".formatted(minute), "aa");
            disk.commit(minute);
            nowMillis += 60_000;
        }
        close(disk);

        assertThat(files(".sst")).hasSizeLessThan(30);
    }

    @Test
    void shouldUseNothingThatIsTooOld() {
        OriginalsDisk disk = reopen(openWithOne());
        nowMillis += 12 * HOUR;
        disk = reopen(disk);
        assertThat(disk.offset()).hasValue(7);
        nowMillis += 1;
        assertIsNew(reopen(disk));
    }

    /** Markers of removals that it has not read yet may be gone by then. */
    @Test
    void shouldBeNoYoungerThanWhatItsRestoringBeganAt() {
        OriginalsDisk disk = reopen(openWithOne());
        nowMillis += 8 * HOUR;
        put(disk, "02", "bb");
        disk.commitRestored(9);
        disk = reopen(disk);
        assertThat(disk.offset()).hasValue(9);
        nowMillis += 5 * HOUR;
        assertIsNew(reopen(disk));
    }

    private static void assertIsNew(OriginalsDisk disk) {
        assertThat(disk.offset()).isEmpty();
        assertThat(all(disk)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"index/topic/4", "index/other/3", "other/topic/3"})
    void shouldUseNothingOfAnotherChangelog(String other) {
        close(openWithOne());
        OriginalsDisk disk = OriginalsDisk.open(
                folder.resolve("disk"), other, memory, () -> nowMillis, OriginalsDiskTest::secondaryKeys);
        opened.add(disk);
        assertIsNew(disk);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldBeginAnewWhereAFileIsDamagedOrGone(boolean isGone) throws IOException {
        close(openWithOne());
        for (Path file : files(".sst")) {
            byte[] content = Files.readAllBytes(file);
            Arrays.fill(content, content.length / 2, content.length, (byte) 7);
            Files.write(file, content);
            if (isGone) {
                Files.delete(file);
            }
        }
        assertThat(open().offset()).isEmpty();
    }

    @Test
    void shouldBeginAnewBehindABlockThatCannotBeRead() throws IOException {
        OriginalsDisk disk = open();
        put(disk, "01", "aa".repeat(10_000));
        put(disk, "02", "bb".repeat(10_000));
        disk.commit(7);
        OriginalsDisk damaged = reopen(disk);
        for (Path file : files(".sst")) {
            byte[] content = Files.readAllBytes(file);
            content[5_000] = 1;
            // In the file that it has open.
            Files.write(file, content, StandardOpenOption.WRITE);
        }
        assertThatThrownBy(() -> damaged.get(hex("01")))
                .isInstanceOf(DiskException.class)
                .hasMessageContaining("could not read")
                .asString()
                .contains(".sst");
        assertThat(reopen(damaged).offset()).isEmpty();
    }

    /** Wherever it is cut off. */
    @Test
    void shouldBeginAnewWhereAKillHasCutADeletionOff() throws IOException {
        Path path = folder.resolve("disk");
        for (int deleted = 0, all = 1; deleted < all; deleted++) {
            close(openWithOne());
            new StateFolder(path).markUnusable();
            List<Path> order = StateFolder.inOrderOfDeletion(path);
            all = order.size();
            List<Path> gone = order.subList(0, deleted);
            for (Path file : gone) {
                Files.delete(file);
            }
            OriginalsDisk disk = open();
            assertThat(disk.offset()).as("without %s", gone).isEmpty();
            close(disk);
        }
    }

    /** Else each commit of each of them would write files, and wait for these. */
    @Test
    void shouldWriteNoFilesForLittleHoweverManyShareTheMemory() throws IOException {
        for (int i = 0; i < 20; i++) {
            open(folder.resolve("disk" + i));
        }
        for (int round = 0; round < 40; round++) {
            for (OriginalsDisk disk : opened) {
                put(disk, "00%02x".formatted(round), "bb".repeat(100));
                disk.commit(round);
            }
        }

        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files).noneMatch(file -> file.toString().endsWith(".sst"));
        }
    }

    private List<Path> files(String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder.resolve("disk"))) {
            List<Path> found =
                    files.filter(file -> file.toString().endsWith(ending)).toList();
            assertThat(found).isNotEmpty();
            return found;
        }
    }

    @Test
    void shouldBelongToOneAtATimeAndBeDeletedOnlyWhereNobodyUsesItForLong() throws IOException {
        Path path = folder.resolve("disk");
        OriginalsDisk disk = open();
        assertThatThrownBy(this::open)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("expected nobody who has it open, found another");
        disk = reopen(disk);
        assertThat(disk.offset()).isEmpty();
        assertThat(StateFolder.deleteUnused(path, Long.MAX_VALUE)).isFalse();
        close(disk);
        assertThat(StateFolder.deleteUnused(path, nowMillis)).isFalse();
        assertThat(StateFolder.deleteUnused(path, nowMillis + 1)).isTrue();
        assertThat(path).doesNotExist();
    }
}
