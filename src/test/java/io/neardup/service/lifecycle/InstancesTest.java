package io.neardup.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.service.cluster.GroupStatus;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstancesTest {
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
