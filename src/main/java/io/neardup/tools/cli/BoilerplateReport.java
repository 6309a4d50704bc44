package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.engine.text.Shingling;
import io.neardup.tools.analysis.BoilerplateAge;
import io.neardup.tools.analysis.BoilerplateCount;
import io.neardup.tools.analysis.BoilerplateSample;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which shingles are common in a file.
 *
 * @param out where they are written; nothing is written where none are
 * @param by pointer to the source of a document, if sources were told apart
 * @param isByScope whether the pointer is that of the scope, and not one that was given for this
 * @param shingling as configured, perhaps without boilerplate of an earlier day
 */
record BoilerplateReport(
        Path out, BoilerplateSample sample, Shingling shingling, double share, Optional<String> by, boolean isByScope)
        implements CommandReport {
    private static final ObjectMapper JSON = new ObjectMapper();

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
                    "No document has anything at %s, so none is counted within its source: check the pointer in %s.",
                    pointer, isByScope ? "neardup.scope" : "--by")));
        } else {
            lines.add(text(
                    "%,d sources; %,d of them have clusters enough to be counted by themselves.",
                    sample.sources(), count.sources()));
        }
        if (sample.passedOver() > 0) {
            lines.add(text("%,d documents are of further sources, which count only among all.", sample.passedOver()));
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
        ObjectNode report = JSON.createObjectNode()
                .put("shingle", shingling.spec())
                .put("documents", count.documents())
                .put("documentsInFile", sample.documents())
                .put("clusters", count.clusters())
                .put("sources", sample.sources())
                .put("sourcesCounted", count.sources())
                .put("passedOver", sample.passedOver())
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
