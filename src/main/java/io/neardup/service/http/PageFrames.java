package io.neardup.service.http;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.neardup.config.Limits;
import io.neardup.config.NeardupConfig;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.lifecycle.Parting;
import io.neardup.service.lifecycle.SteadyClock;
import io.neardup.streams.metrics.NearestSimilarities.Counted;
import io.neardup.streams.metrics.RecallEstimate.Estimate;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.metrics.Sources;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the page shows of a service: a frame a second, before the first one what does not change and the last
 * {@value #HISTORY_SECONDS} s, and the latest duplicates word by word where there are new ones. Used by one thread.
 */
final class PageFrames {
    static final int HISTORY_SECONDS = 600;
    private static final int SOURCES_MAX = 10;

    private final DedupService service;
    private final ServiceCounts counts;
    private final Deque<Sample> history = new ArrayDeque<>();
    private final Optional<DuplicateTexts> duplicates;
    private StatusJson.Documents before;
    private long sampledNanos = System.nanoTime();

    PageFrames(DedupService service, Optional<DuplicateTexts> duplicates) {
        this.service = service;
        this.counts = service.counts();
        this.duplicates = duplicates;
        this.before = StatusJson.Documents.of(counts);
    }

    /** Records a second of each outcome, and what was in flight. */
    @JsonFormat(shape = JsonFormat.Shape.ARRAY)
    @JsonPropertyOrder({"millis", "unique", "duplicates", "deadLetters", "pending"})
    private record Sample(long millis, double unique, double duplicates, double deadLetters, long pending) {
        static double rate(long now, long before, double seconds) {
            return Math.round((now - before) / seconds * 10) / 10.0;
        }
    }

    /**
     * What a page needs once: the settings that it draws, and what was before.
     *
     * @param texts whether texts are shown; not there where the settings show none
     * @param stories whether stories are written
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record First(
            String applicationId,
            @JsonUnwrapped Parting parting,
            long pendingMax,
            @Nullable String texts,
            boolean stories,
            List<Sample> history) {}

    /**
     * What is now.
     *
     * @param hour how similar the nearest originals are, of the last hour, and day
     * @param recall null where that is not known
     */
    private record Frame(
            @JsonUnwrapped StatusJson.Instance instance,
            Sample sample,
            Nearest hour,
            Nearest day,
            @Nullable Estimate recall,
            List<ServiceCounts.Duplicate> latest,
            List<Sources.Source> sources,
            StatusJson.@Nullable Group group) {}

    /** @param parting what it says of the threshold; empty where that is nothing */
    private record Nearest(@JsonUnwrapped Counted counted, String parting) {}

    /** @param problem why there are none; empty where nothing is wrong */
    private record Texts(String problem, List<DuplicateTexts.Pair> pairs) {}

    /** Notes how much was done since the last call. */
    void sample() {
        StatusJson.Documents now = StatusJson.Documents.of(counts);
        long nowNanos = System.nanoTime();
        double seconds = Math.max(1, nowNanos - sampledNanos) / 1e9;
        history.add(new Sample(
                SteadyClock.SYSTEM.millis(),
                Sample.rate(now.unique(), before.unique(), seconds),
                Sample.rate(now.duplicates(), before.duplicates(), seconds),
                Sample.rate(now.deadLetters(), before.deadLetters(), seconds),
                counts.values(ServiceMetric.PENDING).sum()));
        if (history.size() > HISTORY_SECONDS) {
            history.remove();
        }
        before = now;
        sampledNanos = nowNanos;
    }

    /** What comes before the first frame, to be written as JSON. */
    Object first() {
        NeardupConfig config = service.config();
        return new First(
                config.applicationId(),
                service.parting(),
                Limits.PENDING_MAX,
                config.httpTexts() ? (config.keepsTexts() ? "shown" : "verdicts") : null,
                config.writesStories(),
                List.copyOf(history));
    }

    /** A frame, to be written as JSON. */
    Object next() {
        long nowMillis = SteadyClock.SYSTEM.millis();
        return new Frame(
                StatusJson.Instance.of(service),
                history.getLast(),
                nearest(counts.nearest().ofHour(nowMillis)),
                nearest(counts.nearest().ofDay(nowMillis)),
                counts.recall().estimate().orElse(null),
                counts.latest(),
                counts.sources().established(SOURCES_MAX),
                service.group().map(StatusJson.Group::of).orElse(null));
    }

    private Nearest nearest(Counted counted) {
        return new Nearest(counted, service.parting().sentences(counted));
    }

    /** Reads the texts of duplicates on, while it is asked; empty where none are to be shown. */
    Optional<Object> texts() {
        return duplicates.map(read -> new Texts(read.problem(), read.latest()));
    }
}
