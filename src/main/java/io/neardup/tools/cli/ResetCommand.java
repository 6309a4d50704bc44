package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.service.migration.ClusterView;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "reset",
        description = {
            "Deletes the index of a service that is stopped.",
            "These are its own topics, its group, and its state on this machine. Inputs and outputs"
                    + " stay as they are."
        },
        footer = {
            "Example, with the settings that the service runs with:",
            "  java -jar neardup.jar index reset --config config/neardup.properties \\",
            "      --bootstrap-server localhost:9092 --set state.dir=/var/lib/neardup/1",
            "",
            "It says what it will delete, and asks. A later start writes to the outputs once",
            "more: empty these, or set others. State on other machines is not used any more:",
            "delete it there.",
            "",
            "Exit codes: 0 deleted, or nothing was there; 1 not deleted."
        })
final class ResetCommand extends ToolCommand {
    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Override
    public Integer call() throws IOException {
        NeardupConfig config = clusterConfig(options);
        try (ClusterView cluster = new ClusterView(config)) {
            IndexReset reset = new IndexReset(cluster);
            if (reset.isEmpty()) {
                out().println("Nothing is there of application.id " + config.applicationId() + ".");
                return ExitCode.OK;
            }
            tell(reset, config);
            if (!yes && !confirm("Delete it for good?")) {
                err().println("Nothing was deleted.");
                return ExitCode.SOFTWARE;
            }
            reset.run();
            out().println("Deleted.");
            return ExitCode.OK;
        }
    }

    private void tell(IndexReset reset, NeardupConfig config) {
        TextTable text = new TextTable();
        text.text("To be deleted, with the index of application.id " + config.applicationId() + ":");
        reset.topics.forEach(topic -> text.row("  topic", topic));
        if (reset.hasGroup) {
            text.row("  group", config.applicationId() + ", with its positions in the input");
        }
        reset.state.ifPresent(folder -> text.row("  folder", folder));
        text.text("Left alone: " + String.join(", ", config.inputTopics()) + ", "
                + String.join(", ", config.outputTopics()) + ".");
        reset.successor.ifPresent(successor -> text.text("First stop all instances of its successor " + successor
                + ", and start them without neardup.successor.of, or they end."));
        if (config.writesStories() && reset.successor.isEmpty()) {
            text.text("Empty " + config.storiesTopic() + ", or set another neardup.stories.topic: stories of this index"
                    + " stay there for ever, beside those of the next.");
        }
        text.text("A later start of " + config.applicationId() + " begins anew: it reads all of the input, and writes"
                + " to these outputs again.");
        text.print(out());
    }
}
