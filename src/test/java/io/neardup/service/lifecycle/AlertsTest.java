package io.neardup.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.neardup.service.cluster.GroupStatus;
import io.neardup.service.lifecycle.Alerts.Reading;
import io.neardup.streams.metrics.ServiceCounts.WaitingSource;
import io.neardup.streams.metrics.Sources.Repeated;
import io.neardup.streams.metrics.Sources.Source;
import io.neardup.streams.metrics.Sources.Vanishing;
import io.neardup.testing.JavaCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlertsTest {
    private static final long MEGABYTE = 1 << 20;

    private static Optional<String> alert(long usableBytes, long totalBytes) {
        return new StateDisk(Path.of("state"), true, usableBytes, totalBytes).alert();
    }

    @Test
    void shouldSayWhenWhatLookupsReadDoesNotFitIntoMemory() {
        assertThat(StateDisk.memoryAlert(5L << 30, 5L << 30)).isEmpty();
        assertThat(StateDisk.memoryAlert(6L << 30, 5L << 30).orElse(""))
                .startsWith("lookups need 6,144 MB of buckets in memory, and there are 5,120 MB for them");
    }

    /** As in a container of 4 GB: the kernel cannot take what the rest of the process has for the page cache. */
    @Test
    void shouldLeaveForBucketsWhatNeitherHeapNorJvmNorOriginalsTake() {
        long bytes = StateDisk.memoryForBuckets(4L << 30, 1L << 30, 128 << 20);

        assertThat(StateDisk.memoryAlert(1_900 * MEGABYTE, bytes)).isEmpty();
        assertThat(StateDisk.memoryAlert(2_000 * MEGABYTE, bytes)).isPresent();
        assertThat(StateDisk.memoryForBuckets(1L << 30, 1L << 30, 128 << 20)).isZero();
    }

    @Test
    void shouldWarnWhereLittleIsLeftOnTheDisk() {
        assertThat(alert(180 * MEGABYTE, 220 * MEGABYTE))
                .contains(
                        "the disk of state.dir, state, has 180 MB left of 220: when it is full the service stops; make"
                                + " room");
        assertThat(alert(256 * MEGABYTE, 5_000 * MEGABYTE)).isEmpty();
        assertThat(alert(256 * MEGABYTE, 5_200 * MEGABYTE)).isPresent();
        assertThat(alert(10_240 * MEGABYTE, 4_000_000 * MEGABYTE)).isEmpty();
    }

    /** As by a disk that failed, and was mounted read-only. */
    @Test
    void shouldWarnWhereAFolderCannotBeWrittenAnyMore(@TempDir Path folder) throws Exception {
        assumeTrue(JavaCommand.succeeds("chattr", "+i", folder.toString()), "no way to forbid root to write");
        try {
            assertThat(StateDisk.of(folder).flatMap(StateDisk::alert).orElse(""))
                    .startsWith("the folder of state.dir, " + folder + ", cannot be written");
        } finally {
            JavaCommand.succeeds("chattr", "-i", folder.toString());
        }
    }

    /** For a moment that is so where tasks move. */
    @Test
    void shouldWarnOfAnInputThatIsUnassignedForTwoReadings() {
        List<String> input = List.of("documents");
        Reading none = reading(Set.of("other"));
        Reading all = reading(Set.of("documents", "other"));

        assertThat(Alerts.unassigned(input, all, none)).isEmpty();
        assertThat(Alerts.unassigned(input, none, all)).isEmpty();
        assertThat(Alerts.unassigned(input, none, none).orElse(""))
                .startsWith("no instance is assigned the input topics [documents] that this one was started with: ");
    }

    private static Reading reading(Set<String> assigned) {
        return new Reading(
                ServiceStatus.STARTING,
                Optional.of(
                        new GroupStatus("Stable", Set.of("a"), 1, assigned, Optional.empty(), Optional.empty(), 0)));
    }

    @Test
    void shouldCallAnInstanceByWhatItsThreadsHaveInCommon() {
        assertThat(GroupStatus.instance("neardup-1234-StreamThread-2-consumer")).isEqualTo("neardup-1234");
        assertThat(GroupStatus.instance("other")).isEqualTo("other");
    }

    @Test
    void shouldTellThatDocumentsWaitAndOfWhichSourceMostAre() {
        assertThat(Alerts.waiting(18_535, 59.9, Optional.empty())).isEmpty();
        assertThat(Alerts.waiting(18_535, 60, Optional.empty()).orElse(""))
                .startsWith("of 18,535 records in flight the oldest has waited for 60 s; look whether");
        assertThat(Alerts.waiting(20_000, 61, Optional.of(new WaitingSource("flood.example", 1_000, 1_024)))
                        .orElse(""))
                .startsWith("of 20,000 records in flight the oldest has waited for 61 s; of 1,024 that wait for long"
                        + " 1,000 are of the source flood.example; look");
    }

    // ---- sources that vanish

    private static String vanishing(int others, int unique, @Nullable Double before, @Nullable Repeated most) {
        Vanishing found = new Vanishing(0, 400, others, 400 - others - unique, unique, before, most);
        return Alerts.vanishing(new Source("x.org", 900, 0, 400, 0, others, List.of(), 5L, List.of(), found));
    }

    @Test
    void shouldTellWhomASourceRepeatsThatVanishes() {
        assertThat(vanishing(398, 2, .625, new Repeated("agency.com", 390)))
                .startsWith("the source x.org vanishes: of 400 documents in a row 99% repeat other sources, most of all"
                        + " agency.com, 0% itself, and 0% are unique, before 63%; see which");
        assertThat(vanishing(0, 0, null, null)).contains("0% repeat other sources, 100% itself, and 0% are unique;");
    }
}
