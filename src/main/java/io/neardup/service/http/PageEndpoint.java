package io.neardup.service.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.neardup.config.NeardupConfig;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.lifecycle.ServiceStatus;
import io.neardup.service.lifecycle.SteadyClock;
import io.neardup.service.lifecycle.ThresholdSeparation;
import io.neardup.streams.metrics.NearestSimilarities.Counted;
import io.neardup.streams.metrics.RecallEstimate.Estimate;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.metrics.Sources;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.KafkaThread;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers what the page shows of a service: who looks on asks again each second. It is made at most once a second,
 * however many look on. The last {@value #HISTORY_SECONDS} s are in it, as they are noted whether somebody asks or
 * not.
 */
final class PageEndpoint extends Handler.Abstract {
    static final String PATH = "/api/events";
    private static final int HISTORY_SECONDS = 600;
    private static final int SOURCES_MAX = 10;
    private static final Logger LOG = LoggerFactory.getLogger(PageEndpoint.class);

    private final Supplier<Optional<DedupService>> service;
    private final Supplier<Optional<DuplicateTexts>> texts;
    private final Deque<Sample> history = new ArrayDeque<>();
    private final ScheduledExecutorService clock =
            Executors.newSingleThreadScheduledExecutor(task -> KafkaThread.daemon("neardup-page", task));

    /** Of this second; null where nobody has asked in it. */
    private byte @Nullable [] made;

    /** What had left by the last second, and when that was. */
    private StatusJson.Documents before = new StatusJson.Documents(0, 0, 0, Map.of());

    private long sampledNanos = System.nanoTime();

    PageEndpoint(Supplier<Optional<DedupService>> service, Supplier<Optional<DuplicateTexts>> texts) {
        this.service = service;
        this.texts = texts;
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
     * What is now.
     *
     * @param stories whether stories are written
     * @param hour how similar the nearest originals are, of the last hour, and day
     * @param recall null where that is not known
     * @param byWord the latest duplicates; not there where the settings show no texts
     */
    private record Frame(
            String applicationId,
            @JsonUnwrapped ThresholdSeparation separation,
            boolean stories,
            @JsonUnwrapped StatusJson.Instance instance,
            List<Sample> history,
            Nearest hour,
            Nearest day,
            @Nullable Estimate recall,
            List<ServiceCounts.Duplicate> latest,
            List<Sources.Source> sources,
            StatusJson.@Nullable Group group,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Texts byWord) {}

    /** @param parting what it says of the threshold; empty where that is nothing */
    private record Nearest(@JsonUnwrapped Counted counted, String parting) {}

    /** @param problem why there are none; empty where nothing is wrong */
    private record Texts(String problem, List<DuplicateTexts.Pair> pairs) {}

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // It goes on until it is shut down.
    protected void doStart() throws Exception {
        super.doStart();
        clock.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
    }

    @Override
    protected void doStop() throws Exception {
        clock.shutdownNow();
        super.doStop();
    }

    private synchronized void tick() {
        made = null;
        try {
            service.get().map(DedupService::counts).ifPresent(this::sample);
        } catch (RuntimeException e) {
            LOG.warn("could not record the rates for the page, trying again; cause={}", e.toString());
        }
    }

    private void sample(ServiceCounts counts) {
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

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        return HttpReply.send(response, callback, HttpStatus.OK_200, HttpReply.JSON, shown());
    }

    private synchronized byte[] shown() {
        byte[] shown = made;
        if (shown == null) {
            Object now = service.get()
                    .<Object>map(this::frame)
                    .orElseGet(() -> StatusJson.Health.of(ServiceStatus.STARTING));
            shown = HttpReply.json(now).getBytes(UTF_8);
            made = shown;
        }
        return shown;
    }

    private Frame frame(DedupService running) {
        NeardupConfig config = running.config();
        ServiceCounts counts = running.counts();
        long nowMillis = SteadyClock.SYSTEM.millis();
        return new Frame(
                config.applicationId(),
                running.separation(),
                config.writesStories(),
                StatusJson.Instance.of(running),
                List.copyOf(history),
                nearest(running, counts.nearest().ofHour(nowMillis)),
                nearest(running, counts.nearest().ofDay(nowMillis)),
                counts.recall().estimate().orElse(null),
                counts.latest(),
                counts.sources().established(SOURCES_MAX),
                running.group().map(StatusJson.Group::of).orElse(null),
                config.httpTexts() ? byWord() : null);
    }

    private static Nearest nearest(DedupService running, Counted counted) {
        return new Nearest(counted, running.separation().sentences(counted));
    }

    private Texts byWord() {
        return texts.get()
                .map(read -> new Texts(read.problem(), read.latest()))
                .orElseGet(() -> new Texts(
                        "duplicates leave as verdicts, without their texts (neardup.duplicates.value)", List.of()));
    }
}
