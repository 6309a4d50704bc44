package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.BandingTargets;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tells which bands and rows meet two targets. */
final class TargetsReport implements CommandReport {
    private static final int HASHES_MAX = BandingTargets.HASHES_MAX;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final BandingTargets targets;
    private final int hashes;
    private final Optional<Banding> within;

    /** @param hashes that a signature may have at the most */
    TargetsReport(BandingTargets targets, int hashes) {
        this.targets = targets;
        this.hashes = hashes;
        this.within = targets.cheapestWithin(hashes);
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
        return new TargetsReport(new BandingTargets(found[0], found[1], rejected[0], rejected[1]), hashes);
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
    boolean isMet() {
        return within.isPresent();
    }

    @Override
    public void print(PrintWriter output) {
        within.ifPresentOrElse(banding -> output.println(describe(banding, targets)), () -> printMiss(output));
    }

    private void printMiss(PrintWriter output) {
        output.println("No bands x rows within " + hashes + " hashes does both.");
        output.println(targets.cheapest()
                .map(banding -> "The cheapest that does: " + describe(banding, targets))
                .orElse("None within " + HASHES_MAX + " hashes does either."));
        output.println("The nearest within " + hashes + ": " + describe(targets.bestWithin(hashes), targets));
    }

    private static String describe(Banding banding, BandingTargets targets) {
        return String.format(
                Locale.ROOT,
                "%d bands x %d rows, %d hashes: meets at %s with %.6g, at %s with %.6g",
                banding.bands(),
                banding.rows(),
                banding.hashes(),
                targets.findSimilarity(),
                banding.probability(targets.findSimilarity()),
                targets.rejectSimilarity(),
                banding.probability(targets.rejectSimilarity()));
    }

    @Override
    public ObjectNode json() {
        ObjectNode report = JSON.createObjectNode().put("hashes", hashes).put("met", isMet());
        report.set("cheapest", json(targets.cheapest().orElse(null), targets));
        report.set("within", json(within.orElse(null), targets));
        report.set("nearest", json(targets.bestWithin(hashes), targets));
        return report;
    }

    private static @Nullable ObjectNode json(@Nullable Banding banding, BandingTargets targets) {
        if (banding == null) {
            return null;
        }
        return JSON.createObjectNode()
                .put("bands", banding.bands())
                .put("rows", banding.rows())
                .put("hashes", banding.hashes())
                .put("find", banding.probability(targets.findSimilarity()))
                .put("reject", banding.probability(targets.rejectSimilarity()));
    }
}
