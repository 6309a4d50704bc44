package io.neardup.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.neardup.service.cluster.GroupStatus;
import io.neardup.service.lifecycle.Alerts.Disk;
import io.neardup.service.lifecycle.Alerts.Reading;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlertsTest {
    private static final long MEGABYTE = 1 << 20;
    private static final Path STATE = Path.of("state");

    private static Optional<String> note(long usableBytes, long totalBytes) {
        return Alerts.disk(new Disk(STATE, true, usableBytes, totalBytes));
    }

    @Test
    void shouldSayWhenWhatLookupsReadDoesNotFitIntoMemory() {
        assertThat(Alerts.memory(5L << 30, 5L << 30)).isEmpty();
        assertThat(Alerts.memory(6L << 30, 5L << 30).orElse(""))
                .startsWith("lookups need 6,144 MB of buckets in memory, and there are 5,120 MB beside the heap");
    }

    @Test
    void shouldWarnWhereLittleIsLeftOnTheDisk() {
        assertThat(note(180 * MEGABYTE, 220 * MEGABYTE))
                .contains(
                        "the disk of state.dir, state, has 180 MB left of 220: when it is full the service stops; make"
                                + " room");
        assertThat(note(MEGABYTE - 1, 220 * MEGABYTE))
                .contains(
                        "the disk of state.dir, state, is full, all 220 MB of it: what it writes fails, and the service"
                                + " stops; make room");
        assertThat(note(256 * MEGABYTE, 5_000 * MEGABYTE)).isEmpty();
        assertThat(note(256 * MEGABYTE, 5_200 * MEGABYTE)).isPresent();
        assertThat(note(10_240 * MEGABYTE, 4_000_000 * MEGABYTE)).isEmpty();
    }

    /** As by a disk that failed, and was mounted read-only. */
    @Test
    void shouldWarnWhereAFolderCannotBeWrittenAnyMore(@TempDir Path folder) throws Exception {
        assumeTrue(isDone("chattr", "+i", folder.toString()), "no way to forbid root to write");
        try {
            assertThat(Disk.of(folder).flatMap(Alerts::disk).orElse(""))
                    .startsWith("the folder of state.dir, " + folder + ", cannot be written");
        } finally {
            isDone("chattr", "-i", folder.toString());
        }
    }

    /** Whether a command is there, and goes well. */
    static boolean isDone(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command).start().waitFor() == 0;
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void shouldWarnWhereTheClockWasSetBack() {
        assertThat(Alerts.clock(1_999)).isEmpty();
        assertThat(Alerts.clock(60_000).orElse(""))
                .startsWith("the clock of this host is behind that of the service by 60 s: ")
                .contains("in 5 min at the latest");
    }

    /** For a moment that is so where tasks move. */
    @Test
    void shouldWarnOfAnInputThatIsUnassignedForTwoReadings() {
        Reading none = reading(Set.of("other"));
        Reading all = reading(Set.of("documents", "other"));

        assertThat(Alerts.unread(all, none)).isEmpty();
        assertThat(Alerts.unread(none, all)).isEmpty();
        assertThat(Alerts.unread(none, none).orElse(""))
                .startsWith("no instance is assigned the input topics [documents] that this one was started with: ");
    }

    @Test
    void shouldSayWhereARuleFails() {
        Alerts.Rule failing = now -> {
            throw new IllegalStateException("broken");
        };

        assertThat(Alerts.notes(failing, reading(Set.of()))).singleElement().satisfies(note -> assertThat(note.text())
                .startsWith("one of the alerts cannot be checked (IllegalStateException at "));
    }

    /** Of a group with the instance a. */
    private static Reading reading(Set<String> assigned) {
        return new Reading(
                0,
                ServiceStatus.STARTING,
                new FlowAlerts.Observed(0, 0, 0, 0, 0, 0, 0, 0, 0, 1, Optional.empty()),
                Optional.of(new GroupStatus(
                        "Stable", Set.of("a at host"), 1, assigned, Optional.empty(), Optional.empty(), 0)),
                List.of("documents"),
                Optional.empty(),
                0);
    }

    // ---- who comes and goes

    private static final long NOW = Long.MAX_VALUE - 5;
    private static final long LATER = NOW + TimeUnit.SECONDS.toNanos(40);

    private final Instances instances = new Instances();

    @Test
    void shouldTellWhoCameAndWent() {
        assertThat(instances.see(Set.of("a", "b"), NOW)).contains(new Instances.Change(Set.of("a", "b"), Set.of(), 2));
        assertThat(instances.see(Set.of("b", "a"), NOW)).isEmpty();
        assertThat(instances.see(Set.of("b", "c"), NOW)).contains(new Instances.Change(Set.of("c"), Set.of("a"), 2));
    }

    /**
     * What is seen of a group, each with the second: who is in it, or -name where one says that it leaves. Then a
     * second, how many are missing, and how that is told where it matters.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 a b | 0 | 0 |",
                "0 a b, 0 b | 40 | 1 | gone for 40 s: a; instances that are left: 1;",
                "0 a b, 0 b | 660 | 0 |",
                // Another replaces it, as in a rolling restart.
                "0 a b, 0 b, 0 b c | 40 | 0 |",
                "0 a b c, 0 b c | 0 | 1 |",
                "0 a b c, 0 b c, 40 c | 40 | 2 | gone for 0 s: a, b; instances that are left: 1;",
                "0 a b c, 0 b c, 40 c, 40 a c | 40 | 1 | gone for 0 s: b; instances that are left: 2;",
                "0 a b c, 0 b c, 40 c, 40 a c | 700 | 0 |",
                // Whichever is heard of first: that it leaves, or that it has gone.
                "0 a@x b@y c@z, 0 -b, 0 a@x c@z | 40 | 0 |",
                "0 a@x b@y c@z, 0 a@x c@z, 0 -b | 40 | 0 |",
                "0 a@x b@y c@z, 0 -b, 0 a@x c@z, 40 a@x | 40 | 1 | gone for 0 s: c at z; instances that are left: 1;",
                "0 a@x b@y c@z, 0 a@x c@z, 0 -b, 40 a@x | 40 | 1 | gone for 0 s: c at z; instances that are left: 1;",
                // Another than the one that is missed says that it leaves.
                "0 a@x b@y c@z, 0 a@x b@y, 0 -b, 0 a@x | 40 | 1 | gone for 40 s: c at z; instances that are left: 1;",
                "0 a@x b@y c@z, 0 a@x b@y, 0 -b, 0 a@x, 40 a@x d@z | 40 | 0 |",
                // With a client.id of one's own, which more than one may have.
                "0 a@x b@y b@z, 0 -b, 0 a@x b@z, 0 a@x | 40 | 1 |",
                "0 a@x b@y b@z, 0 -b, 0 a@x b@z, 0 a@x, 40 a@x b@y, 40 -b, 400 a@x | 400 | 1 |",
                // It keeps its name over a restart that nobody saw, and dies.
                "0 a@x b@y, 0 -b, 30 a@x b@y, 61 a@x | 61 | 1 |"
            })
    void shouldTellForAWhileWhoIsMissing(String seen, long second, int missing, @Nullable String told) {
        for (String step : seen.split(", ", -1)) {
            List<String> words = List.of(step.split(" ", -1));
            String first = words.get(1);
            if (first.startsWith("-")) {
                instances.leave(first.substring(1), at(words.get(0)));
            } else {
                instances.see(
                        words.stream()
                                .skip(1)
                                .map(name -> name.replace("@", " at "))
                                .collect(Collectors.toSet()),
                        at(words.get(0)));
            }
        }

        long nanos = at(String.valueOf(second));
        assertThat(instances.missing(nanos)).isEqualTo(missing);
        assertThat(instances.fewer(nanos).isPresent()).isEqualTo(missing > 0);
        assertThat(instances.fewer(nanos).orElse("")).startsWith(told == null ? "" : told);
    }

    private static long at(String second) {
        return NOW + TimeUnit.SECONDS.toNanos(Long.parseLong(second));
    }

    /** As in a rolling restart, and where one is killed and started again. */
    @Test
    void shouldGiveThemTimeToComeBack() {
        instances.see(Set.of("a", "b"), NOW);
        instances.see(Set.of("b"), NOW);

        assertThat(instances.stayAway(NOW + TimeUnit.SECONDS.toNanos(29))).isFalse();
        assertThat(instances.stayAway(LATER)).isTrue();

        instances.see(Set.of("a", "b"), LATER);
        assertThat(instances.stayAway(LATER)).isFalse();
    }

    @Test
    void shouldCallAnInstanceByWhatItsThreadsHaveInCommon() {
        assertThat(GroupStatus.instance("neardup-1234-StreamThread-2-consumer")).isEqualTo("neardup-1234");
        assertThat(GroupStatus.instance("other")).isEqualTo("other");
    }
}
