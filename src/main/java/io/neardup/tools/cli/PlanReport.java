package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.Limits;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Signing;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.lsh.BandingSolver;
import io.neardup.streams.input.InputGate;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.input.Seeding;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.topology.CutoverOrders;
import io.neardup.streams.topology.DedupTopology;
import io.neardup.streams.topology.OutputLimits;
import java.io.PrintWriter;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * What the service would run with some settings, without a cluster.
 *
 * @param showsTopology whether lines tell the topology, too
 * @param recall the chance to find a duplicate that is just at the threshold
 * @param falseCandidates documents that a document is compared with for nothing, in an index of the expected size
 * @param bytesPerDocument memory that a unique document takes on the index partitions together at the most
 * @param at by similarity, the probability that two documents meet
 * @param settings the digits that verdicts name them by
 * @param topology of Kafka Streams
 */
record PlanReport(
        @JsonIgnore NeardupConfig config,
        @JsonIgnore boolean showsTopology,
        int bands,
        int rows,
        double threshold,
        double recall,
        double falseCandidates,
        int bytesPerDocument,
        SortedMap<Double, Double> at,
        String settings,
        String topology)
        implements CommandReport {
    /** The report on settings, with the probabilities to meet at some similarities. */
    static PlanReport of(NeardupConfig config, List<Double> similarities, boolean showsTopology) {
        Banding banding = config.banding();
        SortedMap<Double, Double> at = new TreeMap<>();
        similarities.forEach(similarity -> at.put(similarity, probability(config, similarity)));
        return new PlanReport(
                config,
                showsTopology,
                banding.bands(),
                banding.rows(),
                config.threshold(),
                probability(config, config.threshold()),
                BandingSolver.falseCandidates(
                        banding, config.indexSize(), config.family().agreement(config.unrelatedSimilarity())),
                BandTable.bytesPerDocument(banding, config.indexPartitions()),
                at,
                config.fingerprint(),
                describe(config));
    }

    /** The chance that two documents of a similarity share a bucket. */
    static double probability(NeardupConfig config, double similarity) {
        return config.banding().probability(config.family().agreement(similarity));
    }

    private static String describe(NeardupConfig config) {
        Signing signing = Signing.of(config, 0);
        return new DedupTopology(
                        config,
                        signing,
                        OutputLimits.ByOutput.NONE,
                        new InputGate(Limits.PENDING_MAX, Limits.PENDING_BYTES_MAX),
                        InputGenerations.FIRST,
                        Seeding.none(),
                        () -> CutoverOrders.NONE,
                        new ServiceCounts(),
                        TopicPartition::toString)
                .build()
                .describe()
                .toString();
    }

    @Override
    public void print(PrintWriter output) {
        if (showsTopology) {
            output.print(topology);
            output.println();
        }
        output.println("settings             " + settings + ", as verdicts name them");
        output.println("bands x rows         " + bands + " x " + rows);
        output.println(text("recall               %.4f at the threshold %s", recall, threshold));
        output.println(text(
                "false candidates     %.3g a document, among %,d unique ones of similarity %s",
                falseCandidates, config.indexSize(), config.unrelatedSimilarity()));
        double gibibytes = (double) bytesPerDocument * config.indexSize() / (1 << 30);
        output.println(
                text("memory               %d bytes a unique document, %.1f GiB in all", bytesPerDocument, gibibytes));
        output.println(
                text("disk                 %.1f GiB for snapshots of that, beside the texts of originals", gibibytes));
        at.forEach((similarity, probability) ->
                output.println(text("similarity %-10smet with probability %.6g", similarity, probability)));
        output.println();
        output.println("How likely two documents share a bucket, by their similarity:");
        CurvesReport.draw(List.of(similarity -> probability(config, similarity)), output);
    }

    @Override
    public ObjectNode json() {
        return Json.of(this);
    }
}
