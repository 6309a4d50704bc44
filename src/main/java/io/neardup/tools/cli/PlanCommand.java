package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.figure;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
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
import io.neardup.streams.topology.DedupTopology;
import io.neardup.streams.topology.KnownCutover;
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
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.DoubleUnaryOperator;
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
            "Examples:",
            "  java -jar neardup.jar plan --set neardup.similarity.threshold=0.8",
            "  java -jar neardup.jar plan --bands 42 --rows 3 --at 0.52",
            "  java -jar neardup.jar plan --bands 26,16 --rows 5,8 --png curves.png",
            "Find 99 %% of pairs at 0.5, and not more than 0.1 %% of those at 0.05:",
            "  java -jar neardup.jar plan --find 0.5:0.99 --reject 0.05:0.001 --hashes 128",
            "",
            "Exit code 1 if no bands x rows within the hashes does both; the cheapest that",
            "would and the nearest within the hashes are printed then."
        })
final class PlanCommand extends SettingsCommand {
    private static final int POINTS = 400;
    private static final int STEPS = 20;
    private static final int BAR_WIDTH = 40;
    private static final List<Double> PROBABILITIES = List.of(0.01, 0.5, 0.99);
    private static final String ONE_EACH = "run plan once with each";

    @Option(
            names = "--bands",
            paramLabel = "N",
            split = ",",
            description = "Bands; for several at once give as many --rows.")
    private List<Integer> bands = new ArrayList<>();

    @Option(names = "--rows", paramLabel = "N", split = ",", description = "Rows of a band.")
    private List<Integer> rows = new ArrayList<>();

    @Option(
            names = "--at",
            paramLabel = "S",
            split = ",",
            description = "Also print the probability of sharing a bucket at these similarities.")
    private List<Double> at = new ArrayList<>();

    @Option(names = "--png", paramLabel = "FILE", description = "Draw the curves there.")
    private @Nullable Path png;

    @Option(names = "--svg", paramLabel = "FILE", description = "Draw the curves there, as vectors.")
    private @Nullable Path svg;

    @Option(
            names = "--find",
            paramLabel = "S:P",
            description = "Pairs of similarity S are to share a bucket with probability P or more.")
    private @Nullable String find;

    @Option(
            names = "--reject",
            paramLabel = "S:P",
            description = "Pairs of similarity S are to share a bucket with probability P or less.")
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
        requireBeside("--find", "--reject");
        requireBeside("--hashes", "--reject");
        if (reject != null) {
            requireBeside("--reject", "--find");
            return ofTargets(String.valueOf(find), reject);
        }
        return bands.isEmpty() && rows.isEmpty() ? ofSettings() : ofCurves();
    }

    private int ofSettings() throws IOException {
        NeardupConfig config = NeardupConfig.of(options.settings());
        config.warnings().forEach(err()::println);
        DoubleUnaryOperator curve =
                similarity -> config.banding().probability(config.family().agreement(similarity));
        Map<String, DoubleUnaryOperator> curves = Map.of(name(config.banding()), curve);
        draw(curves, OptionalDouble.of(config.threshold()));
        Figures figures = Figures.of(config, curve, values(at, curve));
        print(() -> addCurves(curves, text(figures)), () -> figures);
        return ExitCode.OK;
    }

    private int ofCurves() throws IOException {
        refuseOthers("--bands and --rows", Set.of("--bands", "--rows", "--at", "--png", "--svg", "--json"), ONE_EACH);
        List<Banding> bandings = bandings();
        Map<String, DoubleUnaryOperator> curves = new LinkedHashMap<>();
        bandings.forEach(banding -> curves.put(name(banding), banding::probability));
        draw(curves, OptionalDouble.empty());
        print(
                () -> addCurves(curves, new TextTable()),
                () -> Map.of(
                        "curves",
                        bandings.stream()
                                .map(one -> Json.of(one)
                                        .put("hashes", one.hashes())
                                        .put("threshold", one.threshold())
                                        .put("steepest", one.steepest())
                                        .put("slope", one.slope(one.steepest()))
                                        .putPOJO("similarityAt", values(PROBABILITIES, one::similarityAt))
                                        .putPOJO("at", values(at, one::probability)))
                                .toList()));
        return ExitCode.OK;
    }

    private int ofTargets(String finding, String rejecting) {
        refuseOthers("--find and --reject", Set.of("--find", "--reject", "--hashes", "--json"), ONE_EACH);
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

    private List<Banding> bandings() {
        if (bands.size() != rows.size()) {
            throw wrong("--bands and --rows: expected the same number of values, found " + bands.size() + " and "
                    + rows.size());
        }
        try {
            return IntStream.range(0, bands.size())
                    .mapToObj(i -> new Banding(bands.get(i), rows.get(i)))
                    .toList();
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    /** As in {@code neardup.banding}. */
    private static String name(Banding banding) {
        return banding.bands() + "x" + banding.rows();
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

    // ---- what is printed

    /** The chance to share a bucket by similarity: a column for each curve, and the first one as bars. */
    private TextTable addCurves(Map<String, DoubleUnaryOperator> curves, TextTable text) {
        List<Object> head = new ArrayList<>(List.of("similarity"));
        head.addAll(curves.keySet());
        head.add("how likely two documents share a bucket" + (curves.size() > 1 ? ", bars of " + head.get(1) : ""));
        text.row(head.toArray());
        SortedSet<Double> similarities = new TreeSet<>(at);
        IntStream.rangeClosed(0, STEPS).forEach(step -> similarities.add(step / (double) STEPS));
        DoubleUnaryOperator first = curves.values().iterator().next();
        for (double similarity : similarities) {
            List<Object> cells = new ArrayList<>(List.of(String.valueOf(similarity)));
            curves.values().forEach(curve -> cells.add(figure("%.4g", curve.applyAsDouble(similarity))));
            cells.add("#".repeat((int) Math.round(BAR_WIDTH * first.applyAsDouble(similarity))));
            text.row(cells.toArray());
        }
        return text;
    }

    private static SortedMap<Double, Double> values(List<Double> from, DoubleUnaryOperator curve) {
        SortedMap<Double, Double> values = new TreeMap<>();
        from.forEach(one -> values.put(one, curve.applyAsDouble(one)));
        return values;
    }

    private static String describe(NeardupConfig config) {
        DedupTopology topology = new DedupTopology(
                config,
                Signing.of(config, 0),
                OutputLimits.ByOutput.NONE,
                new InputGate(Limits.PENDING_MAX, Limits.PENDING_BYTES_MAX),
                InputGenerations.FIRST,
                Seeding.none(),
                () -> KnownCutover.NONE,
                new ServiceCounts(),
                TopicPartition::toString,
                topic -> topic);
        return topology.addTo(new Topology()).describe().toString();
    }

    /**
     * What the service would run with some settings.
     *
     * @param recall that of a duplicate just at the threshold
     * @param falseCandidates documents that one is compared with for nothing, in an index of the expected size
     * @param bytesPerDocument of a unique one, that lookups need in memory, of all index partitions at the most
     * @param diskBytesPerDocument of a unique one, that its buckets have on disk at the most
     * @param originalBytesPerDocument that it has itself on disk, about, with a text of 2 KB if any
     * @param memoryGibibytes of as many unique documents as the index is to have; beside the heap
     * @param diskGibibytes of these, buckets and originals; merging needs as much again as the buckets have
     */
    private record Figures(
            @JsonUnwrapped Banding banding,
            double threshold,
            double recall,
            double falseCandidates,
            int bytesPerDocument,
            int diskBytesPerDocument,
            int originalBytesPerDocument,
            long indexSize,
            double memoryGibibytes,
            double diskGibibytes,
            SortedMap<Double, Double> at,
            String settings,
            String topology) {
        static Figures of(NeardupConfig config, DoubleUnaryOperator curve, SortedMap<Double, Double> at) {
            Banding banding = config.banding();
            int memoryBytes = BandTable.hotBytesPerDocument(banding);
            int diskBytes = memoryBytes + BandTable.coldBytesPerDocument(banding, config.indexPartitions());
            int originalBytes = OriginalStore.diskBytesPerDocument(config.keepsOriginalTexts());
            return new Figures(
                    banding,
                    config.threshold(),
                    curve.applyAsDouble(config.threshold()),
                    BandingSolver.falseCandidates(
                            banding, config.indexSize(), config.family().agreement(config.unrelatedSimilarity())),
                    memoryBytes,
                    diskBytes,
                    originalBytes,
                    config.indexSize(),
                    gibibytes(memoryBytes, config),
                    gibibytes(diskBytes + originalBytes, config),
                    at,
                    config.fingerprint(),
                    describe(config));
        }
    }

    private TextTable text(Figures figures) {
        TextTable text = new TextTable();
        if (topology) {
            text.asIs(figures.topology.lines().toList()).blank();
        }
        return text.fields(Json.of(figures).without(List.of("topology"))).blank();
    }

    private static double gibibytes(int bytesOfDocument, NeardupConfig config) {
        return (double) bytesOfDocument * config.indexSize() / (1 << 30);
    }

    /** A banding, and how likely pairs of the two similarities share a bucket by it. */
    private record RatedBanding(@JsonUnwrapped Banding banding, int hashes, double find, double reject) {
        static RatedBanding of(Banding banding, BandingTargets targets) {
            return new RatedBanding(
                    banding,
                    banding.hashes(),
                    banding.probability(targets.findSimilarity()),
                    banding.probability(targets.rejectSimilarity()));
        }
    }

    /**
     * Which bands and rows meet two targets.
     *
     * @param met whether the cheapest is within the hashes
     * @param cheapest that meets both, however many hashes it has; null if none does
     * @param within the same within the hashes
     * @param nearest within the hashes
     */
    private record Targets(
            int hashes,
            boolean met,
            @Nullable RatedBanding cheapest,
            @Nullable RatedBanding within,
            RatedBanding nearest) {
        static Targets of(BandingTargets targets, int hashes) {
            RatedBanding within = targets.cheapestWithin(hashes)
                    .map(found -> RatedBanding.of(found, targets))
                    .orElse(null);
            return new Targets(
                    hashes,
                    within != null,
                    targets.cheapest()
                            .map(found -> RatedBanding.of(found, targets))
                            .orElse(null),
                    within,
                    RatedBanding.of(targets.bestWithin(hashes), targets));
        }

        TextTable text() {
            TextTable text = new TextTable().fields(Json.of(this).without(List.of("within")));
            return met ? text : text.text("No bands x rows within " + hashes + " hashes does both.");
        }
    }
}
