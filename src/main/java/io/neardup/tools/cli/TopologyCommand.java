package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
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
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.kafka.common.TopicPartition;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What the service would run with some settings, without a cluster. */
@Command(
        name = "topology",
        description = {
            "Prints the topology and what follows from the settings.",
            "It needs no cluster."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        footer = {
            "",
            "Example:",
            "  java -jar neardup.jar topology --set neardup.similarity.threshold=0.8",
        })
final class TopologyCommand implements Callable<Integer> {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Option(names = "--json", description = "Print everything as a JSON object.")
    private boolean json;

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Mixin
    private CommandTalk talk = new CommandTalk();

    /**
     * What follows from the settings.
     *
     * @param recall the chance to find a duplicate that is just at the threshold
     * @param falseCandidates documents that a document is compared with for nothing, in an index of the expected size
     * @param bytesPerDocument memory that a unique document takes on the index partitions together at the most
     */
    private record Figures(
            int bands, int rows, double threshold, double recall, double falseCandidates, int bytesPerDocument) {
        static Figures of(NeardupConfig config) {
            Banding banding = config.banding();
            return new Figures(
                    banding.bands(),
                    banding.rows(),
                    config.threshold(),
                    banding.probability(config.family().agreement(config.threshold())),
                    BandingSolver.falseCandidates(
                            banding, config.indexSize(), config.family().agreement(config.unrelatedSimilarity())),
                    BandTable.bytesPerDocument(banding, config.indexPartitions()));
        }
    }

    @Override
    public Integer call() {
        NeardupConfig config = NeardupConfig.of(options.settings());
        config.warnings().forEach(talk.err()::println);
        Figures figures = Figures.of(config);
        String topology = describe(config);
        PrintWriter output = talk.out();
        if (json) {
            ObjectNode all = JSON.valueToTree(figures);
            output.println(all.put("settings", config.fingerprint()).put("topology", topology));
        } else {
            output.print(topology);
            output.println();
            print(figures, config, output);
        }
        output.flush();
        return ExitCode.OK;
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

    private static void print(Figures figures, NeardupConfig config, PrintWriter output) {
        output.println("settings             " + config.fingerprint() + ", as verdicts name them");
        output.println("bands x rows         " + figures.bands + " x " + figures.rows);
        output.printf(
                Locale.ROOT, "recall               %.4f at the threshold %s%n", figures.recall, figures.threshold);
        output.printf(
                Locale.ROOT,
                "false candidates     %.3g a document, among %,d unique ones of similarity %s%n",
                figures.falseCandidates,
                config.indexSize(),
                config.unrelatedSimilarity());
        output.printf(
                Locale.ROOT,
                "memory               %d bytes a unique document, %.1f GiB in all%n",
                figures.bytesPerDocument,
                (double) figures.bytesPerDocument * config.indexSize() / (1 << 30));
    }
}
