package io.neardup.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.streams.store.StateFolder;
import io.neardup.streams.topology.InternalTopics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalStateTest {
    private static final Duration KEPT = Duration.ofMinutes(10);
    private static final long NOW = 1_000_000_000_000L;

    @TempDir
    private Path folder;

    private Path originals;
    private Path marker;
    private Path snapshot;
    private Path processId;

    @BeforeEach
    void fill() throws IOException {
        originals = write("application/originals/0_3/000012.sst");
        marker = write("application/0_3/originals");
        snapshot = write("application/1_0/buckets.snapshot");
        processId = write("application/kafka-streams-process-metadata");
        touch(NOW);
    }

    private Path write(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, "content");
    }

    private void touch(long millis) throws IOException {
        Files.setLastModifiedTime(originals.getParent(), FileTime.fromMillis(millis));
    }

    private LocalState state() {
        return new LocalState(folder.resolve("application"), KEPT);
    }

    @Test
    void shouldKeepWhatStoresDecideOn() {
        state().begin(true, NOW);

        assertThat(List.of(originals, marker, snapshot))
                .allSatisfy(file -> assertThat(file).exists());
    }

    @Test
    void shouldBeginWhereThereIsNothing() throws IOException {
        new LocalState(folder.resolve("other"), KEPT).begin(true, NOW);
        new LocalState(folder.resolve("other"), KEPT).begin(false, NOW);
        new LocalState(folder.resolve("other"), KEPT).tidyUp(NOW);

        assertThat(folder.resolve("other")).doesNotExist();
    }

    @Test
    void shouldUseNothingWhereMarkersMayBeLost() {
        state().begin(false, NOW);

        assertThat(originals).doesNotExist();
        assertThat(snapshot).doesNotExist();
        assertThat(processId).exists();
    }

    /** A start that ended early, or a deletion that did, has changed their folder a moment ago. */
    @Test
    void shouldUseNoStoriesThatAreOlderThanMarkersMayBe() throws IOException {
        long written = NOW - StateFolder.AGE_MAX.toMillis();
        Path old = stories("2_0", "000012.sst", written - 1);
        stories("2_0", "OPTIONS-000014", NOW);
        Path part = stories("2_1", "CURRENT", NOW);
        Path young = stories("2_2", "000015.sst", written);
        stories("2_2", "000012.sst", written - 1);

        state().begin(true, NOW);

        assertThat(List.of(old, part)).allSatisfy(file -> assertThat(file).doesNotExist());
        assertThat(folder.resolve("application/2_0")).doesNotExist();
        assertThat(young).exists();
    }

    private Path stories(String task, String name, long millis) throws IOException {
        Path file = write("application/" + task + "/rocksdb/stories/" + name);
        return Files.setLastModifiedTime(file, FileTime.fromMillis(millis));
    }

    @Test
    void shouldKeepTheOriginalsOfATaskThatIsHereOrMayComeBack() throws IOException {
        state().tidyUp(NOW + 1_000 * KEPT.toMillis());
        assertThat(originals).exists();

        Files.delete(marker);
        Files.delete(marker.getParent());
        state().tidyUp(NOW + KEPT.toMillis());
        assertThat(originals).exists();
    }

    @Test
    void shouldDeleteTheOriginalsOfATaskThatIsElsewhere() throws IOException {
        Files.delete(marker);
        Files.delete(marker.getParent());

        state().tidyUp(NOW + KEPT.toMillis() + 1);

        assertThat(originals.getParent()).doesNotExist();
        assertThat(snapshot).exists();
    }

    /** What is kept elsewhere may be as old again, and a restoring may take as long. */
    @Test
    void shouldKeepNothingLongerThanAQuarterOfTheTimeOfMarkers() {
        assertThat(StateFolder.AGE_MAX.multipliedBy(4)).isLessThanOrEqualTo(InternalTopics.DELETE_RETENTION);
    }
}
