package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.service.migration.ClusterView;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Deletes an index, so that a service starts anew. */
@Command(
        name = "reset",
        description = {
            "Deletes the index of a service that is stopped.",
            "These are its own topics, its group, and its state on this machine. Inputs and outputs"
                    + " stay as they are."
        },
        footer = {
            "",
            "Example, with the settings that the service runs with:",
            "  java -jar neardup.jar index reset --config config/neardup.properties \\",
            "      --bootstrap-server localhost:9092 --set state.dir=/var/lib/neardup/1",
            "",
            "It says what it will delete, and asks. The next start makes a new index, reads",
            "the input from its beginning, and writes to the outputs once more: empty these,",
            "or set others. State on other machines is not used any more: delete it there.",
            "",
            "Exit codes: 0 deleted, or nothing was there; 1 not deleted; 2 wrong usage or",
            "settings."
        })
final class ResetCommand extends ToolCommand {
    @Option(names = "--yes", description = "Do not ask.")
    private boolean yes;

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Override
    public Integer call() throws IOException {
        NeardupConfig config = asking(options);
        try (ClusterView cluster = new ClusterView(config)) {
            IndexReset reset = new IndexReset(config, cluster);
            IndexReset.Plan plan = reset.plan(cluster.index());
            if (plan.isEmpty()) {
                out().println("Nothing is there of application.id " + config.applicationId() + ".");
                return ExitCode.OK;
            }
            tell(plan, config);
            if (!yes && !isConfirmed("Delete it for good?")) {
                err().println("Nothing was deleted.");
                return ExitCode.SOFTWARE;
            }
            reset.run(plan);
            out().println("Deleted.");
            return ExitCode.OK;
        }
    }

    private void tell(IndexReset.Plan plan, NeardupConfig config) {
        TextTable text = new TextTable();
        text.text("To be deleted, with the index of application.id " + config.applicationId() + ":");
        plan.topics().forEach(topic -> text.row("  topic", topic));
        if (plan.group()) {
            text.row("  group", config.applicationId() + ", with its positions in the input");
        }
        plan.state().ifPresent(folder -> text.row("  folder", folder));
        text.text("Left alone: " + String.join(", ", config.inputTopics()) + ", "
                + String.join(", ", config.outputTopics()) + ".");
        plan.successor()
                .ifPresent(successor -> text.text("First stop all instances of its successor " + successor
                        + ", and start them without neardup.successor.of, or they end."));
        if (config.writesStories() && plan.successor().isEmpty()) {
            text.text("Empty " + config.storiesTopic() + ", or set another neardup.stories.topic: stories of this index"
                    + " stay there for ever, beside those of the next.");
        }
        text.text("A later start of " + config.applicationId() + " begins anew: it reads all of the input, and writes"
                + " to these outputs again.");
        text.print(out());
    }
}
