package io.neardup.service.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.Limits;
import io.neardup.config.NeardupConfig;
import io.neardup.engine.lsh.SCurve;
import io.neardup.engine.similarity.Family;
import io.neardup.service.cluster.GroupStatus;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.lifecycle.SteadyClock;
import io.neardup.streams.metrics.HistogramCounts;
import io.neardup.streams.metrics.LatestDuplicates;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.metrics.TopSources;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * What the page shows: a frame a second, and before the first one what does not change and the last
 * {@value #HISTORY_SECONDS} s. Used by one thread.
 */
final class LiveFrames {
    static final int HISTORY_SECONDS = 600;
    private static final int CURVE_POINTS = 100;
    private static final int SOURCES_MAX = 10;

    private final Deque<Sample> history = new ArrayDeque<>();
    private Totals before = new Totals(0, 0, 0);
    private long sampledNanos = System.nanoTime();

    private record Totals(long unique, long duplicates, long deadLetters) {}

    /** Records a second of each outcome, and what was in flight. */
    private record Sample(long millis, double unique, double duplicates, double deadLetters, long pending) {
        ArrayNode json() {
            return JsonNodeFactory.instance
                    .arrayNode()
                    .add(millis)
                    .add(round(unique))
                    .add(round(duplicates))
                    .add(round(deadLetters))
                    .add(pending);
        }

        private static double round(double rate) {
            return Math.round(rate * 10) / 10.0;
        }
    }

    /** Notes how much was done since the last call. */
    void sample(DedupService service) {
        ServiceCounts counts = service.counts();
        Totals now = new Totals(
                counts.sum(ServiceMetric.DOCUMENTS, "unique"),
                counts.sum(ServiceMetric.DOCUMENTS, "duplicate"),
                counts.sum(ServiceMetric.DOCUMENTS, "dead-letter"));
        long nowNanos = System.nanoTime();
        double seconds = Math.max(1, nowNanos - sampledNanos) / 1e9;
        history.add(new Sample(
                SteadyClock.SYSTEM.millis(),
                (now.unique - before.unique) / seconds,
                (now.duplicates - before.duplicates) / seconds,
                (now.deadLetters - before.deadLetters) / seconds,
                counts.values(ServiceMetric.PENDING).sum()));
        if (history.size() > HISTORY_SECONDS) {
            history.remove();
        }
        before = now;
        sampledNanos = nowNanos;
    }

    /** What a page needs once: the settings that it draws, and what was before. */
    ObjectNode first(DedupService service) {
        NeardupConfig config = service.config();
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("applicationId", config.applicationId())
                .put("threshold", config.threshold())
                .put("pendingMax", Limits.PENDING_MAX)
                .put("estimates", config.family().sketchUse() == Family.SketchUse.CUT);
        if (config.httpTexts()) {
            json.put("texts", config.keepsTexts() ? "shown" : "verdicts");
        }
        SCurve curve = new SCurve(config.banding().bands(), config.banding().rows());
        ArrayNode points = json.putArray("curve");
        for (int i = 0; i <= CURVE_POINTS; i++) {
            double similarity = (double) i / CURVE_POINTS;
            points.add(curve.probability(config.family().agreement(similarity)));
        }
        ArrayNode samples = json.putArray("history");
        history.forEach(sample -> samples.add(sample.json()));
        return json;
    }

    /** What is now. */
    ObjectNode next(DedupService service, Optional<GroupStatus> group) {
        ObjectNode json = Figures.instance(service);
        json.set("sample", history.getLast().json());
        putTwentieths(json.putArray("similarity"), service.counts().histogram(ServiceMetric.SIMILARITY));
        putTwentieths(json.putArray("estimated"), service.counts().histogram(ServiceMetric.CANDIDATE_SIMILARITY));
        ArrayNode latest = json.putArray("latest");
        for (LatestDuplicates.Repeat repeat : service.counts().latest().list()) {
            latest.addObject()
                    .put("id", repeat.id())
                    .put("original", repeat.originalId())
                    .put("similarity", repeat.similarity())
                    .put("millis", repeat.releasedMillis());
        }
        ArrayNode sources = json.putArray("sources");
        for (TopSources.SourceCount source : service.counts().sources().top(SOURCES_MAX)) {
            sources.addObject().put("name", source.name()).put("duplicates", source.duplicates());
        }
        Figures.putGroup(json, group);
        return json;
    }

    /** How many similarities lay in each twentieth of 0 to 1. */
    private static void putTwentieths(ArrayNode into, HistogramCounts similarities) {
        HistogramCounts.Snapshot counted = similarities.snapshot();
        long[] twentieths = new long[20];
        for (int i = 0; i < counted.bounds().length; i++) {
            twentieths[(int) Math.ceil(20 * counted.bounds()[i] - 1e-9) - 1] += counted.counts()[i];
        }
        for (long count : twentieths) {
            into.add(count);
        }
    }
}
