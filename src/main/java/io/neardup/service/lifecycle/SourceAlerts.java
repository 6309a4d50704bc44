package io.neardup.service.lifecycle;

import io.neardup.streams.metrics.Sources.Repeated;
import io.neardup.streams.metrics.Sources.Source;
import io.neardup.streams.metrics.Sources.Vanishing;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** That a source brings hardly anything of its own, and where to look for the cause. The log has each once. */
final class SourceAlerts {
    private static final Logger LOG = LoggerFactory.getLogger(SourceAlerts.class);
    /** More at a time have one cause, mostly. */
    private static final int NAMED_MAX = 3;
    /** Of its copies; of so many from one source it is more than an aggregator. */
    private static final double MOSTLY = 0.8;

    private Set<String> logged = Set.of();

    /** @param vanishing those that are to be told now, the latest first */
    Stream<String> notes(List<Source> vanishing) {
        vanishing.stream().filter(source -> !logged.contains(source.name())).forEach(source -> LOG.warn(text(source)));
        logged = vanishing.stream().map(Source::name).collect(Collectors.toSet());
        int more = vanishing.size() - NAMED_MAX;
        return Stream.concat(
                vanishing.stream().limit(NAMED_MAX).map(SourceAlerts::text),
                more > 0 ? Stream.of(more + " more sources vanish; /api/sources names them") : Stream.of());
    }

    private static String text(Source source) {
        Vanishing found = source.vanishes();
        if (found == null) {
            throw new IllegalArgumentException(source.name() + ": expected a source that vanishes");
        }
        Double before = found.uniqueBefore();
        return Alerts.text(
                        "the source %s vanishes: of %,d documents in a row %.0f%% repeat other sources, and %.0f%% are"
                                + " unique",
                        source.name(),
                        found.documents(),
                        percent(found.ofOthers(), found.documents()),
                        percent(found.unique(), found.documents()))
                + (before == null ? "" : Alerts.text(", before %.0f%%", 100 * before))
                + "; "
                + cause(found);
    }

    private static double percent(long part, long all) {
        return Math.floor(100.0 * part / Math.max(1, all));
    }

    private static String cause(Vanishing found) {
        if (found.ofItself() > found.ofOthers()) {
            return "it repeats itself: its producer sends the same again, or a template or new boilerplate makes its"
                    + " documents alike, which tune boilerplate tells, with a file of them";
        }
        Repeated most = found.repeats();
        if (most == null) {
            return "what it repeats is from before sources were asked for; look again later";
        }
        return (most.duplicates() >= MOSTLY * found.ofOthers()
                        ? "most of what it repeats is of " + most.name() + ": it is a mirror of that"
                        : "what it repeats is of several, most of " + most.name() + ": it collects what they bring")
                + ", or a template or new boilerplate makes its documents alike, which tune boilerplate tells, with a"
                + " file of them";
    }
}
