package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.bench.BrokerWorker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The broker's process of a benchmark. */
@Command(
        name = "bench-broker",
        hidden = true,
        mixinStandardHelpOptions = true,
        description = "Runs a broker until the standard input ends. Started by bench.")
final class BenchBrokerCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "The broker's data.")
    private Path folder = Path.of(".");

    @Mixin
    private CommandTalk talk = new CommandTalk();

    @Override
    public Integer call() throws IOException {
        BrokerWorker.serve(folder, new BufferedReader(new InputStreamReader(System.in, UTF_8)), talk.out());
        return ExitCode.OK;
    }
}
