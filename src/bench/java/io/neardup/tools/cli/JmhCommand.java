package io.neardup.tools.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Benchmarks of single steps. */
@Command(
        name = "jmh",
        description = "Measures single steps, by JMH.",
        customSynopsis = "neardup-bench jmh [--help] [BENCHMARK...] [options of JMH]",
        footer = {
            "",
            "Examples:",
            "  java -jar neardup-bench.jar jmh -l",
            "  java -jar neardup-bench.jar jmh SignBenchmark -prof gc",
            "  java -jar neardup-bench.jar jmh BandTableBenchmark -p originals=100000",
            "",
            "BENCHMARK is a regular expression; -l lists what there is, and -h prints the",
            "options of JMH. Each benchmark runs in a JVM of its own, with a heap of up to",
            "4 GB. Figures go to standard output."
        })
final class JmhCommand implements Callable<Integer> {
    @Option(names = "--help", usageHelp = true, description = "Show this help message and exit.")
    private boolean unusedHelp; // picocli sees to it

    @Unmatched
    private List<String> arguments = new ArrayList<>();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException, RunnerException {
        try {
            run(new CommandLineOptions(arguments.toArray(String[]::new)));
            return ExitCode.OK;
        } catch (CommandLineOptionException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage() + "; -h prints the options of JMH");
        } catch (NoBenchmarksException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    "expected a regular expression that a benchmark matches, found " + String.join(" ", arguments)
                            + "; -l lists what there is");
        }
    }

    private static void run(CommandLineOptions options) throws IOException, RunnerException {
        if (options.shouldHelp()) {
            options.showHelp();
            return;
        }
        Runner runner = new Runner(options);
        if (options.shouldList()) {
            runner.list();
        } else if (options.shouldListWithParams()) {
            runner.listWithParams(options);
        } else if (options.shouldListProfilers()) {
            options.listProfilers();
        } else if (options.shouldListResultFormats()) {
            options.listResultFormats();
        } else {
            runner.run();
        }
    }
}
