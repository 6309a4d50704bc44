package io.neardup.tools.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What is done to an index as a whole, for good. */
@Command(
        name = "index",
        description = "Hands an index over to another one, or deletes it.",
        subcommands = {CutoverCommand.class, ResetCommand.class},
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND")
final class IndexCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public void run() {
        throw Failures.noCommand(spec.commandLine(), "");
    }
}
