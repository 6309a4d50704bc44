package io.neardup.tools.cli;

import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command line. Exit codes: 0 done, 1 failed, 2 wrong usage or settings, 130 ended by Ctrl-C. */
@Command(
        name = "neardup",
        description = "Removes near-duplicate documents from a Kafka topic, exactly once, and names the original.",
        subcommands = {
            LocalCommand.class,
            FeedCommand.class,
            RunCommand.class,
            BrokerCommand.class,
            VerifyCommand.class,
            WhyCommand.class,
            DiffCommand.class,
            StatusCommand.class,
            RedriveCommand.class,
            CutoverCommand.class,
            ResetCommand.class,
            CheckCommand.class,
            TopologyCommand.class,
            CompareCommand.class,
            CurveCommand.class,
            TuneCommand.class,
            EvaluateCommand.class,
            GenerateCompletion.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Example: see what it does, without a cluster",
            "  java -jar neardup.jar local",
            "",
            "Exit codes: 0 done, 1 failed, 2 wrong usage or settings, 130 ended by Ctrl-C."
        })
public final class Main implements Runnable {
    private static final String LOG_SETTINGS = "logback.configurationFile";

    @Spec
    private CommandSpec spec = CommandSpec.create();

    public static void main(String[] args) {
        logAsThisProgramDoes();
        // Threads that wait for input or for a broker must not keep the process alive.
        System.exit(commandLine().execute(args));
    }

    /**
     * Not in a logback.xml, which an application that this is a library of would find. Before the first logger is made.
     */
    static void logAsThisProgramDoes() {
        if (System.getProperty(LOG_SETTINGS) == null) {
            System.setProperty(LOG_SETTINGS, "io/neardup/tools/cli/log.xml");
        }
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setParameterExceptionHandler(Failures::wrongUsage)
                .setExecutionExceptionHandler(Failures::failed);
    }

    @Override
    public void run() {
        throw Failures.noCommand(spec.commandLine(), "");
    }
}
