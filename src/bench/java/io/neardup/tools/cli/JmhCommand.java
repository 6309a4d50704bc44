package io.neardup.tools.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.Main;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
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

    /** Ends the process itself where a benchmark or an option is unknown. */
    @Override
    public Integer call() throws IOException {
        Main.main(arguments.toArray(String[]::new));
        return ExitCode.OK;
    }
}
