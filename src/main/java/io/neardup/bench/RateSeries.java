package io.neardup.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Rates over time, several drains beside each other. */
final class RateSeries {
    /** Commits come in steps of a tenth of a second; over this time they even out. */
    private static final long BIN_NANOS = 500_000_000L;

    private final Map<String, List<Point>> points = new LinkedHashMap<>();

    /** @param seconds since the first document came out, or near it */
    record Point(double seconds, double documentsPerSecond) {}

    void add(String name, List<Sample> samples) {
        points.put(name, points(samples));
    }

    Map<String, List<Point>> points() {
        return points;
    }

    private static List<Point> points(List<Sample> samples) {
        List<Point> points = new ArrayList<>();
        Sample start = samples.get(0);
        for (Sample sample : samples) {
            start = sample.documents() == 0 ? sample : start;
        }
        Sample from = start;
        long all = samples.get(samples.size() - 1).documents();
        for (Sample to : samples) {
            if (to.nanos() - from.nanos() >= BIN_NANOS && from.documents() < all) {
                points.add(new Point((to.nanos() - start.nanos()) / 1e9, rate(from, to)));
                from = to;
            }
        }
        return points;
    }

    private static double rate(Sample from, Sample to) {
        return (to.documents() - from.documents()) * 1e9 / (to.nanos() - from.nanos());
    }
}
