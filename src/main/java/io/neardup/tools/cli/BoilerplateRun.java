package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.engine.text.Shingling;
import io.neardup.tools.analysis.AnalysisProgress;
import io.neardup.tools.analysis.BoilerplateAge;
import io.neardup.tools.analysis.BoilerplateCount;
import io.neardup.tools.analysis.BoilerplateSample;
import io.neardup.tools.analysis.DocumentLines;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the shingles that many unlike documents of a file hold, so that they can be left out. */
final class BoilerplateRun {
    /** One in two hundred clusters. */
    static final double SHARE_MIN = 0.005;

    /** Every other one. */
    static final double SHARE_MAX = 0.5;

    /**
     * Which shingles are common in a file.
     *
     * @param out where they are written; nothing is written where none are
     * @param by pointer to the source of a document, if sources were told apart
     * @param isByScope whether the pointer is that of the scope, and not one that was given for this
     * @param shingling as configured, perhaps without boilerplate of an earlier day
     */
    record Report(
            Path out,
            BoilerplateSample sample,
            Shingling shingling,
            double share,
            Optional<String> by,
            boolean isByScope)
            implements CommandReport {
        /** Writes the shingles, replacing what is there. */
        void write() throws IOException {
            BoilerplateShingles common = sample.count().boilerplate().orElse(null);
            if (common != null) {
                OutputFile.replaceText(out, common::write);
            }
        }

        @Override
        public void print(PrintWriter output) {
            RejectedText.lines(sample.rejected()).forEach(output::println);
            lines().forEach(output::println);
        }

        private List<String> lines() {
            List<String> lines = new ArrayList<>();
            BoilerplateCount count = sample.count();
            if (count.documents() < sample.documents()) {
                lines.add(text(
                        "Counted in %,d of %,d documents, drawn at random%s.",
                        count.documents(), sample.documents(), bound()));
            }
            if (isByScope) {
                by.ifPresent(pointer -> lines.add("Counted within each source too, as neardup.scope=" + pointer
                        + " tells sources apart; --by names another pointer."));
            }
            if (sample.sources() == 0) {
                by.ifPresent(pointer -> lines.add(text(
                        "No document has anything at %s, so none is counted within its source: check the pointer"
                                + " in %s.",
                        pointer, isByScope ? "neardup.scope" : "--by")));
            } else {
                lines.add(text(
                        "%,d sources; %,d of them have clusters enough to be counted by themselves.",
                        sample.sources(), count.sources()));
            }
            if (sample.notDrawn() > 0) {
                lines.add(text("%,d documents are of further sources, which count only among all.", sample.notDrawn()));
            }
            if (!count.isEnough() && count.sources() == 0) {
                lines.add(text(
                        "%,d documents make %,d clusters of similar ones: fewer than %d do not tell what is common."
                                + " No file is written.",
                        count.documents(), count.clusters(), BoilerplateCount.CLUSTERS_MIN));
                return lines;
            }
            if (count.boilerplate().isEmpty()) {
                lines.add(text(
                        "No shingle of %s is in more than %s %% of the %,d clusters of %,d documents, and in no"
                                + " fewer than %d. There is nothing to leave out: no file is written.",
                        shingling.spec(),
                        percent(share),
                        count.clusters(),
                        count.documents(),
                        BoilerplateCount.CLUSTERS_MIN));
                return lines;
            }
            lines.add(text(
                    "%,d shingles of %s are in more than %s %% of the %,d clusters of %,d documents%s: they are in"
                            + " %s. They are %s %% of all shingles of the documents.",
                    count.boilerplate().get().size(),
                    shingling.spec(),
                    percent(share),
                    count.clusters(),
                    count.documents(),
                    count.sources() > 0 ? ", or of a source" : "",
                    out,
                    percent(count.leftOut())));
            age().ifPresent(age -> lines.add(ageText(age)));
            lines.add("Leave them out with neardup.boilerplate=" + out + "; an index is bound to that file.");
            return lines;
        }

        private String bound() {
            if (sample.count().documents() < sample.drawn()) {
                return ": more are so alike that to compare them takes too long";
            }
            return sample.drawn() < BoilerplateSample.DOCUMENTS_MAX ? ": the texts of more take too much memory" : "";
        }

        private Optional<BoilerplateAge> age() {
            BoilerplateShingles known = shingling.boilerplate();
            return known == null
                    ? Optional.empty()
                    : sample.count().boilerplate().map(today -> BoilerplateAge.of(today, known));
        }

        private static String ageText(BoilerplateAge age) {
            return text(
                    "The file that neardup.boilerplate names lacks %,d of them, %s %% by the clusters that hold"
                            + " them: %s.",
                    age.missing(),
                    percent(age.missingShare()),
                    age.isOld() ? "it has grown old; take the new one, for a new index" : "it still fits");
        }

        @Override
        public ObjectNode json() {
            BoilerplateCount count = sample.count();
            ObjectNode report = Json.object()
                    .put("shingle", shingling.spec())
                    .put("documents", count.documents())
                    .put("documentsInFile", sample.documents())
                    .put("clusters", count.clusters())
                    .put("sources", sample.sources())
                    .put("sourcesCounted", count.sources())
                    .put("skipped", sample.notDrawn())
                    .put("share", share)
                    .put(
                            "boilerplate",
                            count.boilerplate().map(BoilerplateShingles::size).orElse(0))
                    .put("leftOut", count.leftOut());
            age().ifPresent(age -> report.put("missing", age.missing())
                    .put("missingShare", age.missingShare())
                    .put("hasGrownOld", age.isOld()));
            by.ifPresent(pointer -> report.put("by", pointer));
            report.set("rejected", RejectedText.json(sample.rejected()));
            return report;
        }

        private static String percent(double share) {
            return text("%.3g", 100 * share).replaceAll("\\.0*$|(\\.[0-9]*?)0+$", "$1");
        }
    }

    private final String file;
    private final NeardupConfig config;
    private final double share;
    private final boolean isByScope;

    /**
     * A run of which nothing is done yet.
     *
     * @param file as for {@link DocumentLines}
     * @param by JSON pointer to the source of a document; null for that to its scope, if the settings have one
     * @throws IllegalArgumentException for settings under which no shingles are compared
     */
    BoilerplateRun(String file, Settings settings, double share, @Nullable String by) {
        if (by != null) {
            requirePointer(by);
            settings.set("neardup.scope", by, "--by");
        }
        this.file = file;
        this.config = NeardupConfig.of(settings);
        this.share = share;
        this.isByScope = by == null;
        if (!config.signature().comparesShingles()) {
            throw new IllegalArgumentException("expected neardup.signature=minhash or simhash, which"
                    + " compare shingles, found " + config.signature());
        }
    }

    private static void requirePointer(String by) {
        if (!by.startsWith("/")) {
            throw new IllegalArgumentException("--by: expected a JSON pointer (RFC 6901) such as /host, found " + by);
        }
    }

    /**
     * Reads the whole file.
     *
     * @param out where the shingles are to be written; nothing is yet
     */
    Report count(Path out, InputStream standardInput, AnalysisProgress progress) throws IOException {
        try (DocumentLines lines = new DocumentLines(file, standardInput, config)) {
            BoilerplateSample sample = BoilerplateSample.of(lines, config, share, progress);
            if (sample.count().documents() == 0) {
                throw new IOException(file + ": expected documents, found none" + RejectedText.of(sample.rejected()));
            }
            return new Report(out, sample, config.shingling(), share, config.scope(), isByScope);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        } catch (OutOfMemoryError e) {
            throw Failures.heapTooSmall("The documents of " + file, e);
        }
    }
}
