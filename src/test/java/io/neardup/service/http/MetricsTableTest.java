package io.neardup.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.docs.Chapter;
import io.neardup.streams.metrics.ServiceMetric;
import io.neardup.streams.metrics.ServiceMetric.Kind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The chapter tells the metrics that there are. Run with {@code -Dsettings.write=true} to renew its table. */
class MetricsTableTest {
    private static final Path CHAPTER = Path.of("src/docs/reference.md");

    /** What tells one document or client from another has values without end; of sources some are exported. */
    private static final Set<String> LABELS =
            Set.of("outcome", "reason", "partition", "topic", "by", "bound", "source", "figure");

    @Test
    void shouldHaveTheTableInTheChapter() throws IOException {
        Chapter.read(CHAPTER).requireTable("prometheus", table(), getClass());
    }

    /** Columns metric, kind, labels, what and what that tells; ends with a line feed. */
    private static String table() {
        StringBuilder table = new StringBuilder("| metric | kind | labels | what | tells |\n|---|---|---|---|---|\n");
        for (ServiceMetric metric : ServiceMetric.values()) {
            table.append("| `").append(metric.title()).append("` | ");
            table.append(metric.kind().name().toLowerCase(Locale.ROOT)).append(" | ");
            table.append(
                    metric.labels().stream().map(label -> "`" + label + "`").collect(Collectors.joining(" ")));
            table.append(" | ").append(metric.meaning()).append(" | ");
            table.append(tells(metric)).append(" |\n");
        }
        return table.toString();
    }

    /** What a metric tells is written in the chapter alone. */
    private static String tells(ServiceMetric metric) {
        return Chapter.read(CHAPTER).table("prometheus").stream()
                .filter(cells -> cells.get(0).equals("`" + metric.title() + "`"))
                .map(cells -> cells.get(4))
                .findFirst()
                .orElse("");
    }

    @ParameterizedTest
    @EnumSource
    void shouldFollowTheConventions(ServiceMetric metric) {
        assertThat(metric.title()).matches("neardup(_[a-z]+)+");
        assertThat(metric.title().endsWith("_total")).isEqualTo(metric.kind() == Kind.COUNTER);
        assertThat(metric.labels()).isSubsetOf(LABELS);
        assertThat(metric.meaning()).isNotBlank();
        assertThat(tells(metric)).endsWith(".");
    }
}
