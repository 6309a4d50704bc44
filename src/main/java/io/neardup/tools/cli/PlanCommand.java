package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.figure;
import static io.neardup.tools.cli.TextTable.format;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.awt.Color;
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
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.Topology;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

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
final class PlanCommand extends SettingsCommand {
    private static final int POINTS = 400;
    private static final String ONE_EACH = "run plan once with each";
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

    @Override
    public Integer call() throws IOException {
        at.forEach(similarity -> check(similarity >= 0 && similarity <= 1, "--at", "0 to 1", similarity));
        if (find != null || reject != null) {
            return ofTargets(find, reject);
        }
        check(!parsed().hasMatchedOption("--hashes"), "--hashes", "--find and --reject beside it", "none");
        return bands.isEmpty() && rows.isEmpty() ? ofSettings() : ofCurves();
    }

    private int ofSettings() throws IOException {
        refuseOthers("the settings", OF_SETTINGS, ONE_EACH);
        NeardupConfig config = NeardupConfig.of(options.settings());
        config.warnings().forEach(err()::println);
        DoubleUnaryOperator curve = similarity -> probability(config, similarity);
        draw(Map.of(name(config.banding()), curve), OptionalDouble.of(config.threshold()));
        print(() -> text(config), () -> json(config));
        return ExitCode.OK;
    }

    private int ofCurves() throws IOException {
        refuseOthers("--bands and --rows", OF_CURVES, ONE_EACH);
        List<Banding> curves = curves();
        Map<String, DoubleUnaryOperator> drawn = new LinkedHashMap<>();
        curves.forEach(curve -> drawn.put(name(curve), curve::probability));
        draw(drawn, OptionalDouble.empty());
        print(
                () -> text(curves),
                () -> Map.of("curves", curves.stream().map(this::json).toList()));
        return ExitCode.OK;
    }

    private int ofTargets(@Nullable String finding, @Nullable String rejecting) {
        refuseOthers("--find and --reject", OF_TARGETS, ONE_EACH);
        if (finding == null || rejecting == null) {
            throw wrong(
                    "expected both --find and --reject, found " + (finding == null ? "--reject" : "--find") + " alone");
        }
        check("--hashes", hashes, 1, BandingTargets.HASHES_MAX);
        double[] found = pair("--find", finding);
        double[] rejected = pair("--reject", rejecting);
        BandingTargets targets;
        try {
            targets = new BandingTargets(found[0], found[1], rejected[0], rejected[1]);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        Targets report = Targets.of(targets, hashes);
        print(report::text, () -> report);
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
            draw(OutputFile.checked("--png", png), "png", curves, threshold);
        }
        if (svg != null) {
            draw(OutputFile.checked("--svg", svg), "svg", curves, threshold);
        }
    }

    /** S-curves by their names, and where the threshold stands, replacing what is there. */
    private static void draw(
            Path file, String format, Map<String, DoubleUnaryOperator> curves, OptionalDouble threshold)
            throws IOException {
        // For machines with and without a screen.
        System.setProperty("java.awt.headless", "true");
        XYChart chart = new XYChartBuilder()
                .width(900)
                .height(600)
                .title("Chance that two documents share a bucket")
                .xAxisTitle("similarity")
                .yAxisTitle("probability")
                .build();
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setXAxisMin(0.0).setXAxisMax(1.0).setLegendPosition(LegendPosition.InsideNW);
        chart.getStyler().setXAxisTickMarkSpacingHint(80).setXAxisDecimalPattern("0.0");
        chart.getStyler().setYAxisMin(0.0).setYAxisMax(1.0);
        // Closer to each other towards 1: of equally spaced ones XChart makes ticks of its own, with rounded labels.
        double[] similarities = IntStream.rangeClosed(0, POINTS)
                .mapToDouble(i -> Math.sqrt(i / (double) POINTS))
                .toArray();
        curves.forEach((name, probability) -> chart.addSeries(
                        name,
                        similarities,
                        DoubleStream.of(similarities).map(probability).toArray())
                .setMarker(SeriesMarkers.NONE));
        threshold.ifPresent(at -> chart.addSeries("threshold " + at, new double[] {at, at}, new double[] {0, 1})
                .setMarker(SeriesMarkers.NONE)
                .setLineColor(Color.GRAY));
        OutputFile.replace(file, out -> ChartEncoder.saveChart(chart, out, format));
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
    private static final List<Double> PROBABILITIES = List.of(0.01, 0.5, 0.99);

    /** The chance to meet by similarity: a column for each curve, and the first one as bars. */
    private static void addCurves(List<DoubleUnaryOperator> curves, TextTable text) {
        for (int step = 0; step <= STEPS; step++) {
            double similarity = step / (double) STEPS;
            List<Object> cells = new ArrayList<>(List.of(figure("%.2f", similarity)));
            curves.forEach(curve -> cells.add(figure("%.4f", curve.applyAsDouble(similarity))));
            cells.add("#".repeat((int) Math.round(BAR_WIDTH * curves.get(0).applyAsDouble(similarity))));
            text.row(cells.toArray());
        }
    }

    private static SortedMap<Double, Double> valuesAt(List<Double> from, DoubleUnaryOperator value) {
        SortedMap<Double, Double> values = new TreeMap<>();
        from.forEach(one -> values.put(one, value.applyAsDouble(one)));
        return values;
    }

    private static double probability(NeardupConfig config, double similarity) {
        return config.banding().probability(config.family().agreement(similarity));
    }

    /** A banding, and how likely it meets pairs of the two similarities. */
    private record Meeting(@JsonUnwrapped Banding banding, int hashes, double find, double reject) {
        String text(BandingTargets targets) {
            return format(
                    "%d bands x %d rows, %d hashes: meets at %s with %.6g, at %s with %.6g",
                    banding.bands(),
                    banding.rows(),
                    hashes,
                    targets.findSimilarity(),
                    find,
                    targets.rejectSimilarity(),
                    reject);
        }
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
            Meeting nearest) {
        static Targets of(BandingTargets targets, int hashes) {
            Function<Banding, Meeting> meeting = banding -> new Meeting(
                    banding,
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

        TextTable text() {
            if (within != null) {
                return new TextTable().asIs(List.of(within.text(targets)));
            }
            TextTable text = new TextTable().text("No bands x rows within " + hashes + " hashes does both.");
            if (cheapest != null) {
                text.asIs(List.of("The cheapest that does: " + cheapest.text(targets)));
            }
            return text.asIs(List.of("The nearest within " + hashes + ": " + nearest.text(targets)));
        }
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
                TopicPartition::toString,
                topic -> topic);
        return topology.addTo(new Topology()).describe().toString();
    }

    /** Documents that a document is compared with for nothing, in an index of the expected size. */
    private static double falseCandidates(NeardupConfig config) {
        return BandingSolver.falseCandidates(
                config.banding(), config.indexSize(), config.family().agreement(config.unrelatedSimilarity()));
    }

    /** Of a unique document that lookups need in memory, of all index partitions at the most. */
    private static int memoryBytes(NeardupConfig config) {
        return BandTable.hotBytesPerDocument(config.banding());
    }

    /** Of a unique document that its buckets have on disk at the most. */
    private static int diskBytes(NeardupConfig config) {
        return memoryBytes(config) + BandTable.coldBytesPerDocument(config.banding(), config.indexPartitions());
    }

    /** That a unique document itself has on disk, about, with a text of 2 KB if any. */
    private static int originalBytes(NeardupConfig config) {
        return OriginalStore.diskBytesPerDocument(config.keepsTextsOfOriginals());
    }

    private static double gibibytes(int bytesOfDocument, NeardupConfig config) {
        return (double) bytesOfDocument * config.indexSize() / (1 << 30);
    }

    /** What the service would run with some settings; recall is that of a duplicate just at the threshold. */
    private TextTable text(NeardupConfig config) {
        DoubleUnaryOperator curve = similarity -> probability(config, similarity);
        TextTable text = new TextTable();
        if (topology) {
            text.asIs(describe(config).lines().toList()).blank();
        }
        double threshold = config.threshold();
        text.row("settings", config.fingerprint() + ", as verdicts name them");
        text.row(
                "bands x rows",
                config.banding().bands() + " x " + config.banding().rows());
        text.row("recall", format("%.4f at the threshold %s", curve.applyAsDouble(threshold), threshold));
        text.row(
                "false candidates",
                format(
                        "%.3g a document, among %,d of similarity %s",
                        falseCandidates(config), config.indexSize(), config.unrelatedSimilarity()));
        text.row(
                "memory",
                format(
                        "%d bytes a unique document, %.1f GiB in all, beside the heap",
                        memoryBytes(config), gibibytes(memoryBytes(config), config)));
        text.row(
                "disk",
                format(
                        "%.1f GiB for buckets, twice that while they are merged, and some %.1f GiB for originals%s",
                        gibibytes(diskBytes(config), config),
                        gibibytes(originalBytes(config), config),
                        config.keepsTextsOfOriginals() ? ", where a text has 2 KB" : ""));
        valuesAt(at, curve)
                .forEach((similarity, probability) ->
                        text.row("similarity " + similarity, format("met with probability %.6g", probability)));
        text.blank().text("How likely two documents share a bucket, by their similarity:");
        addCurves(List.of(curve), text);
        return text;
    }

    private ObjectNode json(NeardupConfig config) {
        return Json.of(config.banding())
                .put("threshold", config.threshold())
                .put("recall", probability(config, config.threshold()))
                .put("falseCandidates", falseCandidates(config))
                .put("bytesPerDocument", memoryBytes(config))
                .put("diskBytesPerDocument", diskBytes(config))
                .put("originalBytesPerDocument", originalBytes(config))
                .putPOJO("at", valuesAt(at, similarity -> probability(config, similarity)))
                .put("settings", config.fingerprint())
                .put("topology", describe(config));
    }

    /** How likely two documents meet in a bucket, by their similarity: the S-curves of some bands and rows. */
    private TextTable text(List<Banding> curves) {
        TextTable text = new TextTable();
        List<Object> head = new ArrayList<>(List.of("similarity"));
        curves.forEach(curve -> head.add(curve.bands() + " x " + curve.rows()));
        head.add("the first as bars");
        text.row(head.toArray());
        addCurves(
                curves.stream()
                        .<DoubleUnaryOperator>map(curve -> curve::probability)
                        .toList(),
                text);
        for (Banding one : curves) {
            double steepest = one.steepest();
            text.blank()
                    .text(format(
                            "%d x %d, %d hashes: rises around %.4f, steepest at %.4f with slope %.2f",
                            one.bands(), one.rows(), one.hashes(), one.threshold(), steepest, one.slope(steepest)));
            valuesAt(PROBABILITIES, one::similarityAt)
                    .forEach((probability, similarity) ->
                            text.text(format("  met with probability %.2f: similarity %.4f", probability, similarity)));
            valuesAt(at, one::probability)
                    .forEach((similarity, probability) ->
                            text.text(format("  similarity %s: met with probability %.6g", similarity, probability)));
        }
        return text;
    }

    private ObjectNode json(Banding curve) {
        return Json.of(curve)
                .put("hashes", curve.hashes())
                .put("threshold", curve.threshold())
                .put("steepest", curve.steepest())
                .put("slope", curve.slope(curve.steepest()))
                .putPOJO("similarityAt", valuesAt(PROBABILITIES, curve::similarityAt))
                .putPOJO("at", valuesAt(at, curve::probability));
    }
}
