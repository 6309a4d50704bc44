package io.neardup.tools.cli;

import io.neardup.tools.local.EmbeddedBroker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A broker to try the service against, where there is no cluster. */
@Command(
        name = "broker",
        description = "Runs a Kafka broker to try things on, without a cluster.",
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        footer = {
            "",
            "Example, each in a terminal of its own:",
            "  java -jar neardup.jar broker kafka-data",
            "  java -jar neardup.jar run --create-topics --set state.dir=state",
            "  java -jar neardup.jar feed news.rss",
            "",
            "It listens on the loopback address alone, asks for no passwords, and never",
            "deletes what topics hold. The folder keeps them until the next start. Not for",
            "production. Ctrl-C stops it; the exit code is then 130."
        })
final class BrokerCommand implements Callable<Integer> {
    private static final int PORT_MAX = 65_535;
    /** For what the broker has to write at its end. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @Parameters(paramLabel = "DIR", description = "The folder of its data; made if it is missing.")
    private Path folder = Path.of(".");

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "9092",
            description = "The port of 127.0.0.1; 0 for any that is free (default: ${DEFAULT-VALUE}).")
    private int port;

    @Mixin
    private CommandTalk talk = new CommandTalk();

    @Override
    public Integer call() throws IOException, InterruptedException {
        talk.check("--port", port, 0, PORT_MAX);
        QuietLog.prepare();
        talk.err().println("starting ...");
        talk.err().flush();
        CountDownLatch stopped = new CountDownLatch(1);
        StopHook stop = new StopHook(stopped::countDown, PATIENCE);
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder, port)) {
            talk.out().println("bootstrap.servers=" + broker.bootstrapServers() + ", until Ctrl-C");
            talk.out().flush();
            stopped.await();
        } finally {
            stop.remove();
        }
        return ExitCode.OK;
    }
}
