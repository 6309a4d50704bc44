package io.neardup.streams.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.record.Publishers;
import io.neardup.streams.metrics.Sources.Repeated;
import io.neardup.streams.metrics.Sources.Source;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourcesTest {
    private final Sources sources = new Sources();

    private void unique(String source) {
        sources.unique(source, 0);
    }

    private void copy(String source, String original, double afterSeconds) {
        sources.copy(source, original, false, afterSeconds, 0);
    }

    private Source source(String name) {
        return sources.most(Sources.MAX).stream()
                .filter(source -> source.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldTellWhomASourceRepeats() {
        unique("a");
        copy("a", "a", 0);
        IntStream.range(0, 5).forEach(i -> copy("a", "b", 0));
        IntStream.range(0, 3).forEach(i -> copy("a", "c", 0));
        unique("b");

        assertThat(sources.most(9)).extracting(Source::name).containsExactly("a", "b");
        Source a = source("a");
        assertThat(a.documents()).isEqualTo(10);
        assertThat(a.duplicates()).isEqualTo(9);
        assertThat(a.ofItself()).isEqualTo(1);
        assertThat(a.ofOthers()).isEqualTo(8);
        assertThat(a.repeats()).containsExactly(new Repeated("b", 5), new Repeated("c", 3));
        assertThat(a.missedMax()).isZero();
        assertThat(source("b").repeats()).isEmpty();
    }

    /** Originals of before a source was asked for have none. */
    @Test
    void shouldTakeNothingUnknownForAnother() {
        copy("a", Publishers.UNKNOWN, 0);
        copy(Publishers.UNKNOWN, "a", 0);
        copy(Publishers.UNKNOWN, Publishers.UNKNOWN, 0);

        assertThat(sources.most(9)).allSatisfy(source -> {
            assertThat(source.duplicates()).isPositive();
            assertThat(source.ofItself() + source.ofOthers()).isZero();
        });
    }

    @Test
    void shouldTellHowLongAfterTheirOriginalsCopiesCome() {
        unique("never");
        assertThat(source("never").afterSeconds()).isNull();
        copy("a", "b", Double.NaN);
        assertThat(source("a").afterSeconds()).isNull();
        copy("a", "b", -5);
        copy("a", "b", 60);
        copy("a", "b", 61);
        copy("a", "b", 7_200);
        copy("a", "b", 1e12);
        assertThat(source("a").after()).containsExactly(1L, 1L, 1L, 0L, 0L, 1L, 0L, 0L, 0L, 0L, 0L, 1L);
        assertThat(source("a").afterSeconds()).isEqualTo(60 + 240 / 2);

        IntStream.range(0, 9).forEach(i -> copy("late", "b", 1e12));
        assertThat(source("late").afterSeconds()).isEqualTo(TimeUnit.DAYS.toSeconds(7));
    }

    /** It knows what it cannot have counted. */
    @Test
    void shouldFindTheMostFrequentAmongMoreThanItCanCount() {
        Random random = new Random(7);
        List<String> names = IntStream.range(0, 100_000)
                .mapToObj(i -> i % 20 == 0 ? "large" : "other-" + random.nextInt(50_000))
                .toList();
        names.forEach(this::unique);
        var truth = names.stream().collect(Collectors.groupingBy(name -> name, Collectors.counting()));

        List<Source> most = sources.most(Integer.MAX_VALUE);
        assertThat(most).hasSize(Sources.MAX).allSatisfy(source -> assertThat(
                        Objects.requireNonNull(truth.get(source.name())))
                .isBetween(source.documents(), source.documents() + source.missedMax()));
        assertThat(most.get(0).name()).isEqualTo("large");
        assertThat(most.get(0).missedMax()).isLessThanOrEqualTo(names.size() / Sources.MAX);
    }

    /** Each that is shown is a series of its own at whoever scrapes it. */
    @Test
    void shouldShowNoneOfALongTailWhileItPassesThroughTheCounters() {
        IntStream.range(0, 300).forEach(i -> unique("large"));
        for (int i = 0; i < 20_000; i++) {
            unique("small-" + i % 5_000);
        }
        assertThat(sources.established(Sources.EXPORTED_MAX))
                .extracting(Source::name)
                .containsExactly("large");
        IntStream.range(0, 300).forEach(i -> unique("late"));
        assertThat(sources.established(Sources.EXPORTED_MAX))
                .extracting(Source::name)
                .containsExactly("large", "late");
    }

    /** Two hosts of one publisher do not repeat each other: what one has of the other is its own. */
    @Test
    void shouldTakeASourceOfTheSamePublisherForNoOther() {
        sources.copy("www.a.com", "m.a.com", true, 1, 0);

        assertThat(source("www.a.com").ofItself()).isEqualTo(1);
        assertThat(source("www.a.com").repeats()).isEmpty();
    }

    /** Else the first documents, whose originals have none yet, would make it look like one that repeats nobody. */
    @Test
    void shouldNotTakeItForAFallThatOriginalsHaveSourcesByAndBy() {
        for (int i = 0; i < 800; i++) {
            millis += 1_000;
            if (i % 20 == 0) {
                windows.unique(millis);
            } else {
                windows.ofUnknown(millis);
            }
        }
        assertThat(window(10, 0, 190)).isNull();
    }

    @Test
    void shouldCountUrlsByTheirHostAndHideWhatATerminalObeys() {
        assertThat(Sources.nameOf("https://WWW.Example.com:443/news/1")).isEqualTo("www.example.com");
        assertThat(Sources.nameOf("www.Example.com/news/1")).isEqualTo("www.example.com");
        assertThat(Sources.nameOf("The Daily")).isEqualTo("The Daily");
        assertThat(Sources.nameOf("a\u001b[2Jb")).isEqualTo("a<U+001B>[2Jb");
        assertThat(Sources.nameOf("")).isEqualTo("unknown");
    }

    // ---- sources that vanish

    private final SourceWindows windows = new SourceWindows();
    private long millis = TimeUnit.DAYS.toMillis(1);

    /** A window of so many unique ones, copies of others, and of itself. */
    private Sources.@Nullable Vanishing window(int unique, int others, int itself) {
        int documents = unique + others + itself;
        for (int i = 0; i < documents; i++) {
            millis += i == documents - 1 ? SourceWindows.MILLIS_MIN : 0;
            if (i < unique) {
                windows.unique(millis);
            } else if (i < unique + others) {
                windows.ofOther(i % 5 == 0 ? "c" : "b", millis);
            } else {
                windows.ofItself(millis);
            }
        }
        return windows.vanishing().orElse(null);
    }

    @Test
    void shouldTellAMirrorOnceItHasRepeatedOthersForAWindow() {
        assertThat(window(11, 189, 0)).isNull();
        assertThat(window(10, 190, 0))
                .isEqualTo(new Sources.Vanishing(millis, 200, 190, 0, 10, null, new Repeated("b", 152)));
        long since = millis;
        for (int i = 0; i < 50; i++) {
            // Also where it is not quite one for a while.
            assertThat(window(i % 3 == 0 ? 40 : 0, 160, i % 3 == 0 ? 0 : 40))
                    .extracting(Sources.Vanishing::sinceMillis)
                    .isEqualTo(since);
        }
        assertThat(window(41, 159, 0)).isNull();
        assertThat(window(0, 200, 0)).extracting(Sources.Vanishing::sinceMillis).isEqualTo(millis);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // unique ones of windows of 200 before, of the last one, and whether that shows a fall
                "100 100 | 0 | false", // too few to know what is usual
                "100 100 100 | 20 | true",
                "100 100 100 | 21 | false",
                "150 100 50 | 20 | true", // of the mean
                "200 200 200 200 50 50 50 50 50 50 50 50 | 20 | false", // the latest count most
                "20 20 20 | 4 | true",
                "19 19 19 | 0 | false" // as may be by chance
            })
    void shouldTellThatASourceHasFallenToAFifthOfWhatItWas(String before, int unique, boolean isFallen) {
        for (String windowBefore : before.split(" ", -1)) {
            int ofWindow = Integer.parseInt(windowBefore);
            window(ofWindow, 0, 200 - ofWindow);
        }
        assertThat(window(unique, 0, 200 - unique) != null).isEqualTo(isFallen);
    }

    @Test
    void shouldTellAgainAfterASourceHasRecovered() {
        IntStream.range(0, 4).forEach(i -> window(100, 0, 100));
        assertThat(window(20, 0, 180)).isEqualTo(new Sources.Vanishing(millis, 200, 0, 180, 20, .5, null));
        assertThat(window(50, 0, 150)).as("half of before is not above it").isNotNull();
        assertThat(window(51, 0, 149)).isNull();
        assertThat(window(18, 0, 182)).isNotNull();
    }

    @Test
    void shouldWaitForEnoughDocumentsOfALongEnoughTime() {
        for (int i = 0; i < 10_000; i++) {
            windows.ofOther("b", millis);
        }
        assertThat(windows.vanishing()).as("of a moment").isEmpty();
        windows.ofOther("b", millis + SourceWindows.MILLIS_MIN);
        assertThat(windows.vanishing()).isPresent();

        SourceWindows slow = new SourceWindows();
        for (int i = 1; i <= SourceWindows.DOCUMENTS_MIN; i++) {
            assertThat(slow.vanishing()).isEmpty();
            slow.ofOther("b", TimeUnit.HOURS.toMillis(i));
        }
        assertThat(slow.vanishing()).isPresent();
    }

    @Test
    void shouldTellOfASourceForADay() {
        for (int i = 0; i <= 400; i++) {
            long at = i * 1_000L;
            sources.copy("mirror", "b", false, 1, at);
            sources.copy(Publishers.UNKNOWN, "b", false, 1, at);
            if (i < 201) {
                sources.unique("late", at);
            } else {
                sources.copy("late", "b", false, 1, at);
            }
        }
        long found = TimeUnit.SECONDS.toMillis(199);

        assertThat(sources.vanishing(found + 1)).extracting(Source::name).containsExactly("late", "mirror");
        assertThat(sources.vanishing(found + TimeUnit.DAYS.toMillis(1)))
                .extracting(Source::name)
                .containsExactly("late");
        assertThat(source("mirror").vanishes()).isNotNull();
        assertThat(source(Publishers.UNKNOWN).vanishes()).isNull();
    }
}
