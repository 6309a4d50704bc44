package io.neardup.tools.cli;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.neardup.config.Limits;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Signing;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.BandingSolver;
import io.neardup.engine.lsh.BandingTargets;
import io.neardup.streams.input.InputGate;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.store.OriginalStore;
import io.neardup.streams.topology.CutoverOrders;
import io.neardup.streams.topology.DedupTopology;
import io.neardup.streams.topology.OutputLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** What follows from settings, from bands and rows, or from two targets; it reckons alone. */
@Command(
        name = "plan",
        description = {
            "Tells what follows from the settings, without a cluster.",
            "Bands x rows, recall, false candidates, memory, disk, the S-curve, and the topology of Kafka Streams. Or,"
                    + " in place of the settings: what follows from some --bands and --rows; or which bands x rows of"
                    + " the fewest hashes --find pairs of one similarity and --reject those of another."
        },
        footer = {
            "",
            "Examples:",
            "  java -jar neardup.jar plan --set neardup.similarity.threshold=0.8",
            "  java -jar neardup.jar plan --bands 42 --rows 3 --at 0.5,0.05",
            "  java -jar neardup.jar plan --bands 26,16 --rows 5,8 --png curves.png",
            "Find 99 %% of pairs at 0.5, and not more than 0.1 %% of those at 0.05:",
            "  java -jar neardup.jar plan --find 0.5:0.99 --reject 0.05:0.001 --hashes 128",
            "",
            "Exit code 1 if no bands x rows within the hashes does both; the cheapest that",
            "would and the nearest within the hashes are printed then."
        })
final class PlanCommand extends ReportingCommand {
    private static final int NUMBER_MAX = 40_000;
    private static final Set<String> OF_CURVES = Set.of("--bands", "--rows", "--at", "--png", "--svg", "--json");
    private static final Set<String> OF_TARGETS = Set.of("--find", "--reject", "--hashes", "--json");
    private static final Set<String> OF_SETTINGS =
            Set.of("--topology", "--at", "--png", "--svg", "--json", "--config", "--preset", "--set");

    @Option(
            names = "--bands",
            paramLabel = "N",
            split = ",",
            description = "Bands; several settings at once: as many numbers of rows.")
    private List<Integer> bands = new ArrayList<>();

    @Option(names = "--rows", paramLabel = "N", split = ",", description = "Rows of a band.")
    private List<Integer> rows = new ArrayList<>();

    @Option(
            names = "--at",
            paramLabel = "S",
            split = ",",
            description = "Print the probabilities to meet at these similarities.")
    private List<Double> at = new ArrayList<>();

    @Option(names = "--png", paramLabel = "FILE", description = "Draw the curves there.")
    private @Nullable Path png;

    @Option(names = "--svg", paramLabel = "FILE", description = "Draw the curves there, as vectors.")
    private @Nullable Path svg;

    @Option(
            names = "--find",
            paramLabel = "S:P",
            description = "Pairs of similarity S are to meet with probability P at the least.")
    private @Nullable String find;

    @Option(
            names = "--reject",
            paramLabel = "S:P",
            description = "Pairs of similarity S are to meet with probability P at the most.")
    private @Nullable String reject;

    @Option(
            names = "--hashes",
            paramLabel = "N",
            defaultValue = "256",
            description = "With --find: the most values of a signature (default: ${DEFAULT-VALUE}, all that the service"
                    + " takes).")
    private int hashes;

    @Option(names = "--topology", description = "Print the topology of Kafka Streams, too; --json always has it.")
    private boolean topology;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Override
    public Integer call() throws IOException {
        at.forEach(similarity -> check(similarity >= 0 && similarity <= 1, "--at", "0 to 1", similarity));
        if (find != null || reject != null) {
            return ofTargets(find, reject);
        }
        return bands.isEmpty() && rows.isEmpty() ? ofSettings() : ofCurves();
    }

    /** What was asked for and would have no effect is a mistake. */
    private void refuseOthers(String what, Set<String> known) {
        String others = parsed().matchedOptions().stream()
                .map(OptionSpec::longestName)
                .filter(name -> !known.contains(name))
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        if (!others.isEmpty()) {
            throw wrong(others + ": of no effect beside " + what + "; run plan once with each");
        }
    }

    private int ofSettings() throws IOException {
        refuseOthers("the settings", OF_SETTINGS);
        NeardupConfig config = NeardupConfig.of(options.settings());
        config.warnings().forEach(err()::println);
        DoubleUnaryOperator curve = similarity -> probability(config, similarity);
        draw(Map.of(name(config.banding()), curve), OptionalDouble.of(config.threshold()));
        print(Plan.of(config, at, topology));
        return ExitCode.OK;
    }

    private int ofCurves() throws IOException {
        refuseOthers("--bands and --rows", OF_CURVES);
        List<Banding> curves = curves();
        Map<String, DoubleUnaryOperator> drawn = new LinkedHashMap<>();
        curves.forEach(curve -> drawn.put(name(curve), curve::probability));
        draw(drawn, OptionalDouble.empty());
        print(new Curves(curves.stream().map(curve -> Curve.of(curve, at)).toList()));
        return ExitCode.OK;
    }

    private int ofTargets(@Nullable String finding, @Nullable String rejecting) {
        refuseOthers("--find and --reject", OF_TARGETS);
        if (finding == null || rejecting == null) {
            throw wrong(
                    "expected both --find and --reject, found " + (finding == null ? "--reject" : "--find") + " alone");
        }
        check("--hashes", hashes, 1, BandingTargets.HASHES_MAX);
        double[] found = pair("--find", finding);
        double[] rejected = pair("--reject", rejecting);
        Targets report =
                valid(() -> Targets.of(new BandingTargets(found[0], found[1], rejected[0], rejected[1]), hashes));
        print(report);
        return report.met ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private double[] pair(String option, String text) {
        String[] parts = text.split(":", 2);
        try {
            return new double[] {Double.parseDouble(parts[0]), Double.parseDouble(parts[1])};
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            throw wrong(option + ": expected SIMILARITY:PROBABILITY such as 0.5:0.99, found " + text);
        }
    }

    private static String name(Banding banding) {
        return banding.bands() + " bands x " + banding.rows() + " rows";
    }

    private void draw(Map<String, DoubleUnaryOperator> curves, OptionalDouble threshold) throws IOException {
        if (png != null) {
            Charts.writeCurves(OutputFile.checked("--png", png), "png", curves, threshold);
        }
        if (svg != null) {
            Charts.writeCurves(OutputFile.checked("--svg", svg), "svg", curves, threshold);
        }
    }

    private List<Banding> curves() {
        if (bands.size() != rows.size()) {
            throw wrong("--bands and --rows: expected as many of both, found " + bands.size() + " and " + rows.size());
        }
        bands.forEach(number -> check("--bands", number, 1, NUMBER_MAX));
        rows.forEach(number -> check("--rows", number, 1, NUMBER_MAX));
        List<Banding> curves = new ArrayList<>();
        for (int i = 0; i < bands.size(); i++) {
            curves.add(new Banding(bands.get(i), rows.get(i)));
        }
        return curves;
    }

    // ---- what is printed

    private static final int STEPS = 20;
    private static final int BAR_WIDTH = 40;

    /** The chance to meet by similarity: a column for each curve, and the first one as bars. */
    private static void addCurves(List<DoubleUnaryOperator> curves, TextTable text) {
        for (int step = 0; step <= STEPS; step++) {
            double similarity = step / (double) STEPS;
            List<Object> cells = new ArrayList<>(List.of(TextTable.figure("%.2f", similarity)));
            curves.forEach(curve -> cells.add(TextTable.figure("%.4f", curve.applyAsDouble(similarity))));
            cells.add("#".repeat((int) Math.round(BAR_WIDTH * curves.get(0).applyAsDouble(similarity))));
            text.row(cells.toArray());
        }
    }

    private static SortedMap<Double, Double> at(List<Double> from, DoubleUnaryOperator value) {
        SortedMap<Double, Double> at = new TreeMap<>();
        from.forEach(one -> at.put(one, value.applyAsDouble(one)));
        return at;
    }

    private static double probability(NeardupConfig config, double similarity) {
        return config.banding().probability(config.family().agreement(similarity));
    }

    /**
     * Which bands and rows meet two targets.
     *
     * @param cheapest that meets both, however many hashes it has; null if none does
     * @param within the same within the hashes
     */
    private record Targets(
            @JsonIgnore BandingTargets targets,
            int hashes,
            boolean met,
            @Nullable Meeting cheapest,
            @Nullable Meeting within,
            Meeting nearest)
            implements Report {
        /** A banding, and how likely it meets pairs of the two similarities. */
        private record Meeting(int bands, int rows, int hashes, double find, double reject) {}

        static Targets of(BandingTargets targets, int hashes) {
            Function<Banding, Meeting> meeting = banding -> new Meeting(
                    banding.bands(),
                    banding.rows(),
                    banding.hashes(),
                    banding.probability(targets.findSimilarity()),
                    banding.probability(targets.rejectSimilarity()));
            Meeting within = targets.cheapestWithin(hashes).map(meeting).orElse(null);
            return new Targets(
                    targets,
                    hashes,
                    within != null,
                    targets.cheapest().map(meeting).orElse(null),
                    within,
                    meeting.apply(targets.bestWithin(hashes)));
        }

        @Override
        public TextTable text() {
            TextTable text = new TextTable();
            if (within == null) {
                text.text("No bands x rows within " + hashes + " hashes does both.");
                addMeeting("The cheapest that does: ", cheapest, text);
                addMeeting("The nearest within " + hashes + ": ", nearest, text);
            }
            addMeeting("", within, text);
            return text;
        }

        private void addMeeting(String name, @Nullable Meeting meeting, TextTable text) {
            if (meeting != null) {
                text.asIs(List.of(TextTable.format(
                        "%s%d bands x %d rows, %d hashes: meets at %s with %.6g, at %s with %.6g",
                        name,
                        meeting.bands,
                        meeting.rows,
                        meeting.hashes,
                        targets.findSimilarity(),
                        meeting.find,
                        targets.rejectSimilarity(),
                        meeting.reject)));
            }
        }
    }

    /**
     * What the service would run with some settings.
     *
     * @param recall the chance to find a duplicate that is just at the threshold
     * @param falseCandidates documents that a document is compared with for nothing, in an index of the expected size
     * @param bytesPerDocument of a unique document that lookups need in memory, of all index partitions at the most
     * @param diskBytesPerDocument of a unique document that its buckets have on disk at the most
     * @param originalBytesPerDocument that a unique document itself has there, about, with a text of 2 KB if any
     * @param at by similarity, the probability that two documents meet
     * @param settings the digits that verdicts name them by
     */
    private record Plan(
            @JsonIgnore NeardupConfig config,
            @JsonIgnore boolean showsTopology,
            int bands,
            int rows,
            double threshold,
            double recall,
            double falseCandidates,
            int bytesPerDocument,
            int diskBytesPerDocument,
            int originalBytesPerDocument,
            SortedMap<Double, Double> at,
            String settings,
            String topology)
            implements Report {
        static Plan of(NeardupConfig config, List<Double> similarities, boolean showsTopology) {
            Banding banding = config.banding();
            return new Plan(
                    config,
                    showsTopology,
                    banding.bands(),
                    banding.rows(),
                    config.threshold(),
                    probability(config, config.threshold()),
                    BandingSolver.falseCandidates(
                            banding, config.indexSize(), config.family().agreement(config.unrelatedSimilarity())),
                    BandTable.hotBytesPerDocument(banding),
                    BandTable.hotBytesPerDocument(banding)
                            + BandTable.coldBytesPerDocument(banding, config.indexPartitions()),
                    OriginalStore.diskBytesPerDocument(config.keepsTextsOfOriginals()),
                    PlanCommand.at(similarities, similarity -> probability(config, similarity)),
                    config.fingerprint(),
                    describe(config));
        }

        private static String describe(NeardupConfig config) {
            DedupTopology topology = new DedupTopology(
                    config,
                    Signing.of(config, 0),
                    OutputLimits.ByOutput.NONE,
                    new InputGate(Limits.PENDING_MAX, Limits.PENDING_BYTES_MAX),
                    InputGenerations.FIRST,
                    Seeding.none(),
                    () -> CutoverOrders.NONE,
                    new ServiceCounts(),
                    TopicPartition::toString);
            return topology.build().describe().toString();
        }

        @Override
        public TextTable text() {
            TextTable text = new TextTable();
            if (showsTopology) {
                text.asIs(topology.lines().toList()).blank();
            }
            text.row("settings", settings + ", as verdicts name them");
            text.row("bands x rows", bands + " x " + rows);
            text.row("recall", TextTable.format("%.4f at the threshold %s", recall, threshold));
            text.row(
                    "false candidates",
                    TextTable.format(
                            "%.3g a document, among %,d of similarity %s",
                            falseCandidates, config.indexSize(), config.unrelatedSimilarity()));
            text.row(
                    "memory",
                    TextTable.format(
                            "%d bytes a unique document, %.1f GiB in all, beside the heap",
                            bytesPerDocument, gibibytes(bytesPerDocument)));
            text.row(
                    "disk",
                    TextTable.format(
                            "%.1f GiB for buckets, twice that while they are merged, and some %.1f GiB for originals%s",
                            gibibytes(diskBytesPerDocument),
                            gibibytes(originalBytesPerDocument),
                            config.keepsTextsOfOriginals() ? ", where a text has 2 KB" : ""));
            at.forEach((similarity, probability) ->
                    text.row("similarity " + similarity, TextTable.format("met with probability %.6g", probability)));
            text.blank().text("How likely two documents share a bucket, by their similarity:");
            addCurves(List.of(similarity -> probability(config, similarity)), text);
            return text;
        }

        private double gibibytes(int bytesOfDocument) {
            return (double) bytesOfDocument * config.indexSize() / (1 << 30);
        }
    }

    /** How likely two documents meet in a bucket, by their similarity: the S-curves of some bands and rows. */
    private record Curves(List<Curve> curves) implements Report {
        @Override
        public TextTable text() {
            TextTable text = new TextTable();
            List<Object> head = new ArrayList<>(List.of("similarity"));
            curves.forEach(curve -> head.add(curve.bands + " x " + curve.rows));
            head.add("the first as bars");
            text.row(head.toArray());
            addCurves(curves.stream().map(curve -> curve.probability).toList(), text);
            for (Curve one : curves) {
                text.blank()
                        .text(TextTable.format(
                                "%d x %d, %d hashes: rises around %.4f, steepest at %.4f with slope %.2f",
                                one.bands, one.rows, one.hashes, one.threshold, one.steepest, one.slope));
                one.similarityAt.forEach((probability, similarity) -> text.text(
                        TextTable.format("  met with probability %.2f: similarity %.4f", probability, similarity)));
                one.at.forEach((similarity, probability) -> text.text(
                        TextTable.format("  similarity %s: met with probability %.6g", similarity, probability)));
            }
            return text;
        }
    }

    /**
     * A curve in figures.
     *
     * @param threshold the rule of thumb for where it rises, (1/b)^(1/r)
     * @param similarityAt by probability, the similarity that is met with it
     * @param at by similarity, the probability that two documents meet
     */
    private record Curve(
            @JsonIgnore DoubleUnaryOperator probability,
            int bands,
            int rows,
            int hashes,
            double threshold,
            double steepest,
            double slope,
            SortedMap<Double, Double> similarityAt,
            SortedMap<Double, Double> at) {
        private static final List<Double> PROBABILITIES = List.of(0.01, 0.5, 0.99);

        static Curve of(Banding banding, List<Double> similarities) {
            return new Curve(
                    banding::probability,
                    banding.bands(),
                    banding.rows(),
                    banding.hashes(),
                    banding.threshold(),
                    banding.steepest(),
                    banding.slope(banding.steepest()),
                    PlanCommand.at(PROBABILITIES, banding::similarityAt),
                    PlanCommand.at(similarities, banding::probability));
        }
    }
}
