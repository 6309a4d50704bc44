package io.neardup.service.http;

import io.neardup.streams.metrics.ServiceMetric;
import java.util.Locale;
import java.util.stream.Collectors;

/** The metrics as a table in Markdown, from their definition. */
public final class MetricsTable {
    private MetricsTable() {}

    /** Columns metric, kind, labels, what and use; ends with a line feed. */
    public static String render() {
        StringBuilder table = new StringBuilder("| metric | kind | labels | what | tells |\n|---|---|---|---|---|\n");
        for (ServiceMetric metric : ServiceMetric.values()) {
            table.append("| `").append(metric.title()).append("` | ");
            table.append(metric.kind().name().toLowerCase(Locale.ROOT)).append(" | ");
            table.append(
                    metric.labels().stream().map(label -> "`" + label + "`").collect(Collectors.joining(" ")));
            table.append(" | ").append(metric.meaning()).append(" | ");
            table.append(metric.use()).append(" |\n");
        }
        return table.toString();
    }
}
