package io.neardup.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.streams.InternalTopics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalStateTest {
    private static final long HOUR = 3_600_000;
    private static final long STOPPED = 1_000 * HOUR;

    @TempDir
    private Path folder;

    private Path originals;
    private Path checkpoint;
    private Path snapshot;
    private Path processId;

    @BeforeEach
    void fill() throws IOException {
        originals = write("application/0_3/rocksdb/originals/000012.sst");
        checkpoint = write("application/0_3/.checkpoint_originals");
        snapshot = write("application/1_0/buckets.snapshot");
        processId = write("application/kafka-streams-process-metadata");
    }

    private Path write(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "content");
    }

    private LocalState state() {
        return new LocalState(folder, "application");
    }

    private void stop() {
        LocalState before = state();
        before.begin(true, STOPPED);
        before.end(STOPPED);
    }

    /** As Kafka Streams does while it runs. */
    private void stopAndFill() throws IOException {
        stop();
        fill();
    }

    private void assertRestoresOriginals() {
        assertThat(folder.resolve("application/0_3")).doesNotExist();
        assertThat(checkpoint).doesNotExist();
        assertThat(snapshot).exists();
        assertThat(processId).exists();
    }

    @ParameterizedTest
    @ValueSource(ints = {-12, 0, 12})
    void shouldGoOnFromWhatIsAtMostTwelveHoursOld(int hours) throws IOException {
        stopAndFill();

        state().begin(true, STOPPED + hours * HOUR);

        assertThat(List.of(originals, checkpoint, snapshot))
                .allSatisfy(file -> assertThat(file).exists());
    }

    @ParameterizedTest
    @ValueSource(ints = {-13, 13, 1_000})
    void shouldRestoreWhatIsOlder(int hours) throws IOException {
        stopAndFill();

        state().begin(true, STOPPED + hours * HOUR);

        assertRestoresOriginals();
    }

    @Test
    void shouldRestoreWhatNobodyStopped() {
        state().begin(true, STOPPED);

        assertRestoresOriginals();
    }

    @Test
    void shouldRestoreWhatAKillLeftBehindAStopInOrder() throws IOException {
        stopAndFill();
        state().begin(true, STOPPED + HOUR);

        state().begin(true, STOPPED + 2 * HOUR);

        assertRestoresOriginals();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "2\n3600000000\n", "1\nsoon\n", "1\n3600000000\nmore\n"})
    void shouldRestoreWhereTheNoteIsNotAsItWasWritten(String note) throws IOException {
        Files.writeString(folder.resolve("stopped"), note);

        state().begin(true, STOPPED);

        assertRestoresOriginals();
    }

    @Test
    void shouldUseNothingWhereMarkersMayBeLost() throws IOException {
        stopAndFill();

        state().begin(false, STOPPED);

        assertRestoresAll();
    }

    private void assertRestoresAll() {
        assertThat(originals).doesNotExist();
        assertThat(snapshot).doesNotExist();
        assertThat(processId).exists();
    }

    @Test
    void shouldNotNoteTheEndOfWhatDidNotBegin() {
        state().end(STOPPED);

        state().begin(true, STOPPED);

        assertRestoresOriginals();
    }

    /** What is kept elsewhere may be as old again, and a restoring may take as long. */
    @Test
    void shouldKeepNothingLongerThanAQuarterOfTheTimeOfMarkers() {
        assertThat(LocalState.AGE_MAX.multipliedBy(4)).isLessThanOrEqualTo(InternalTopics.DELETE_RETENTION);
    }

    /** At SIGTERM both the hook and the command close the service. */
    @Test
    void shouldNoteTheEndOnce() throws IOException {
        LocalState state = state();
        state.begin(true, STOPPED);
        state.end(STOPPED);
        state.end(STOPPED + 1);

        assertThat(Files.readString(folder.resolve("stopped"))).contains(String.valueOf(STOPPED));
    }
}
