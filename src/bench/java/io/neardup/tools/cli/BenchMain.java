package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.bench.BenchException;
import io.neardup.bench.Worker;
import io.neardup.tools.local.EmbeddedBroker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * The command line of what measures the service. It is in the package of the program's own commands, as it shares their
 * options, progress and messages. Exit codes are theirs: 0 done, 1 failed, 2 wrong usage or settings, 130 ended by
 * Ctrl-C.
 */
@Command(
        name = "neardup-bench",
        description = "Measures neardup on this machine: the whole service, its buckets alone, or single steps of it.",
        subcommands = {
            ServiceBenchCommand.class,
            IndexBenchCommand.class,
            JmhCommand.class,
            BenchMain.ServeBroker.class,
            BenchMain.ServeWorker.class
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Examples:",
            "  java -jar neardup-bench.jar service --documents 100000 --rounds 1",
            "  java -jar neardup-bench.jar index --originals 1m,10m",
            "  java -jar neardup-bench.jar jmh SignBenchmark -prof gc",
            "",
            "It needs neardup.jar and the folders lib and bench-lib beside it, as",
            "mvn -Pbench -DskipTests package makes them.",
            "",
            "Exit codes: 0 done, 1 failed, 2 wrong usage or settings, 130 ended by Ctrl-C."
        })
public final class BenchMain {
    public static void main(String[] args) {
        Main.configureLogging();
        // Threads that wait for input or for a broker must not keep the process alive.
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new BenchMain())
                .setParameterExceptionHandler(Failures::wrongUsage)
                .setExecutionExceptionHandler(
                        (failure, command, parsed) -> Failures.failed(forOperators(failure), command, parsed));
    }

    /** The message of a benchmark is for whoever started it, as that of an I/O failure is. */
    private static Exception forOperators(Exception failure) {
        return failure instanceof BenchException ? new IOException(failure.getMessage(), failure) : failure;
    }

    private static BufferedReader standardInput() {
        return new BufferedReader(new InputStreamReader(System.in, UTF_8));
    }

    /** The broker's process of a benchmark: says where the broker listens, and ends with its standard input. */
    @Command(
            name = "broker",
            hidden = true,
            mixinStandardHelpOptions = true,
            description = "Runs a broker until the standard input ends. Started by service.")
    static final class ServeBroker extends ToolCommand {
        @Parameters(paramLabel = "DIR", description = "The broker's data.")
        private Path folder = Path.of(".");

        @Override
        public Integer call() throws IOException {
            try (EmbeddedBroker broker = EmbeddedBroker.start(folder, 0, false)) {
                out().println(broker.bootstrapServers());
                out().flush();
                BufferedReader requests = standardInput();
                while (requests.readLine() != null) {
                    // Nothing is asked of a broker.
                }
            }
            return ExitCode.OK;
        }
    }

    /** A measured process of a benchmark. */
    @Command(
            name = "worker",
            hidden = true,
            description = "Runs what is measured, as the standard input says. Started by service.")
    static final class ServeWorker extends ToolCommand {
        @Parameters(paramLabel = "KIND", description = "passthrough or service.")
        private String kind = "";

        @Mixin
        private SettingsOptions options = new SettingsOptions();

        @Override
        public Integer call() throws IOException {
            Worker.serve(kind, options::settingsForOwnBroker, standardInput(), out());
            return ExitCode.OK;
        }
    }
}
