package io.neardup.tools.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.apache.kafka.common.utils.AppInfoParser;
import picocli.AutoComplete.GenerateCompletion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The command line. Exit codes: 0 done, 1 failed, 2 wrong usage or settings, 130 ended by Ctrl-C. */
@Command(
        name = "neardup",
        description = "Removes near-duplicate documents from a Kafka topic, exactly once, and names the original.",
        subcommands = {
            LocalCommand.class,
            RunCommand.class,
            FeedCommand.class,
            RedriveCommand.class,
            StatusCommand.class,
            Main.Index.class,
            GenerateCompletion.class,
            CheckCommand.class,
            WhyCommand.class,
            VerifyCommand.class,
            DiffCommand.class,
            StoriesCommand.class,
            TuneCommand.class,
            EvaluateCommand.class,
            CompareCommand.class,
            PlanCommand.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        commandListHeading = "",
        footer = {
            "",
            "Example: see what it does, without a cluster",
            "  java -jar neardup.jar local",
            "",
            "Exit codes: 0 done, 1 failed, 2 wrong usage or settings, 130 ended by Ctrl-C."
        })
public final class Main {
    private static final int NAME_COLUMNS = 20;
    private static final String LOG_SETTINGS = "logback.configurationFile";

    public static void main(String[] args) {
        configureLogging();
        StandardOutput output = new StandardOutput();
        CommandLine program = commandLine().setOut(output.writer());
        int code = program.execute(args);
        // Threads that wait for input or for a broker must not keep the process alive.
        System.exit(output.finish(program.getErr()) ? code : Math.max(code, ExitCode.SOFTWARE));
    }

    /**
     * Before the first logger is made. Not in a logback.xml: applications that use this jar as a library would load
     * that too.
     */
    static void configureLogging() {
        if (System.getProperty(LOG_SETTINGS) == null) {
            System.setProperty(LOG_SETTINGS, "io/neardup/tools/cli/log.xml");
        }
    }

    static CommandLine commandLine() {
        CommandLine program = new CommandLine(new Main())
                .setParameterExceptionHandler(Failures::wrongUsage)
                .setExecutionExceptionHandler(Failures::failed);
        program.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, help -> list(program));
        return program;
    }

    /** The commands with the first line of what each does, in groups. */
    private static String list(CommandLine program) {
        return list(program, "Try it", "local")
                + list(program, "Run it", "run", "feed", "redrive", "status", "index", "generate-completion")
                + list(program, "Ask it", "check", "why", "verify", "diff", "stories")
                + list(program, "Choose settings", "tune", "evaluate", "compare", "plan");
    }

    private static String list(CommandLine program, String group, String... names) {
        StringBuilder list = new StringBuilder(String.format("%n%s:%n", group));
        for (String name : names) {
            add(list, "", Objects.requireNonNull(program.getSubcommands().get(name)));
        }
        return list.toString();
    }

    /** A command, and those below it; one that only leads to others does nothing itself. */
    private static void add(StringBuilder list, String above, CommandLine command) {
        String name = above + command.getCommandName();
        if (command.getCommand() instanceof Callable<?>
                || command.getSubcommands().isEmpty()) {
            list.append(String.format(
                    "  %-" + NAME_COLUMNS + "s %s%n",
                    name,
                    command.getCommandSpec().usageMessage().description()[0]));
        }
        command.getSubcommands().values().forEach(below -> add(list, name + " ", below));
    }

    /** What the build wrote into the jar, and the Kafka that is beside it: what a report of a fault needs. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {
                "neardup " + Objects.requireNonNullElse(version, "(not packaged)"),
                "commit  " + commit(),
                "Kafka   " + AppInfoParser.getVersion(),
                "Java    " + System.getProperty("java.version")
            };
        }

        private static String commit() {
            Properties written = new Properties();
            try (InputStream file =
                    Objects.requireNonNull(Main.Version.class.getResourceAsStream("build.properties"))) {
                written.load(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            String commit = written.getProperty("commit", "unknown");
            // As it stands in the sources, where another tool compiled them.
            return commit.startsWith("$") ? "unknown" : commit;
        }
    }

    /** What is done to an index as a whole, for good. */
    @Command(
            name = "index",
            description = "Hands an index over to another one, or deletes it.",
            subcommands = {CutoverCommand.class, ResetCommand.class},
            mixinStandardHelpOptions = true,
            versionProvider = Version.class,
            synopsisSubcommandLabel = "COMMAND")
    static final class Index {}
}
