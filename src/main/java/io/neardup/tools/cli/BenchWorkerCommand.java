package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.bench.Worker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A measured process of a benchmark. */
@Command(
        name = "bench-worker",
        hidden = true,
        description = "Runs what is measured, as the standard input says. Started by bench.")
final class BenchWorkerCommand implements Callable<Integer> {
    @Parameters(paramLabel = "KIND", description = "passthrough or service.")
    private String kind = "";

    @Mixin
    private SettingsOptions options = new SettingsOptions();

    @Mixin
    private CommandTalk talk = new CommandTalk();

    @Override
    public Integer call() throws IOException {
        Worker.serve(
                kind,
                options::settingsForOwnBroker,
                new BufferedReader(new InputStreamReader(System.in, UTF_8)),
                talk.out());
        return ExitCode.OK;
    }
}
