package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.BandingTargets;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * Tells which bands and rows meet two targets.
 *
 * @param hashes that a signature may have at the most
 * @param cheapest that meets both, however many hashes it has; null if none does
 * @param within the same within the hashes
 * @param nearest within the hashes
 */
record TargetsReport(
        @JsonIgnore BandingTargets targets,
        int hashes,
        @Nullable Meeting cheapest,
        @Nullable Meeting within,
        Meeting nearest)
        implements CommandReport {
    /** A banding, and how likely it meets pairs of the two similarities. */
    private record Meeting(int bands, int rows, int hashes, double find, double reject) {
        static Meeting of(Banding banding, BandingTargets targets) {
            return new Meeting(
                    banding.bands(),
                    banding.rows(),
                    banding.hashes(),
                    banding.probability(targets.findSimilarity()),
                    banding.probability(targets.rejectSimilarity()));
        }
    }

    /**
     * The report on what two options say.
     *
     * @param find a similarity, a colon and the least probability to meet
     * @param reject a similarity, a colon and the highest probability to meet
     * @throws IllegalArgumentException that says what is wrong with them
     */
    static TargetsReport of(String find, String reject, int hashes) {
        double[] found = pair("--find", find);
        double[] rejected = pair("--reject", reject);
        BandingTargets targets = new BandingTargets(found[0], found[1], rejected[0], rejected[1]);
        return new TargetsReport(
                targets,
                hashes,
                targets.cheapest().map(banding -> Meeting.of(banding, targets)).orElse(null),
                targets.cheapestWithin(hashes)
                        .map(banding -> Meeting.of(banding, targets))
                        .orElse(null),
                Meeting.of(targets.bestWithin(hashes), targets));
    }

    private static double[] pair(String option, String text) {
        String[] parts = text.split(":", -1);
        try {
            if (parts.length == 2) {
                return new double[] {Double.parseDouble(parts[0]), Double.parseDouble(parts[1])};
            }
        } catch (NumberFormatException e) {
            // Told below.
        }
        throw new IllegalArgumentException(
                option + ": expected SIMILARITY:PROBABILITY such as 0.5:0.99, found " + text);
    }

    /** Whether a banding within the hashes meets both. */
    @JsonProperty("met")
    boolean isMet() {
        return within != null;
    }

    @Override
    public void print(PrintWriter output) {
        if (within != null) {
            output.println(describe(within));
            return;
        }
        output.println("No bands x rows within " + hashes + " hashes does both.");
        output.println(
                cheapest == null
                        ? "None within " + BandingTargets.HASHES_MAX + " hashes does either."
                        : "The cheapest that does: " + describe(cheapest));
        output.println("The nearest within " + hashes + ": " + describe(nearest));
    }

    private String describe(Meeting meeting) {
        return text(
                "%d bands x %d rows, %d hashes: meets at %s with %.6g, at %s with %.6g",
                meeting.bands,
                meeting.rows,
                meeting.hashes,
                targets.findSimilarity(),
                meeting.find,
                targets.rejectSimilarity(),
                meeting.reject);
    }

    @Override
    public ObjectNode json() {
        return Json.of(this);
    }
}
