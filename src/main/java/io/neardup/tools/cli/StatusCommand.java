package io.neardup.tools.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.service.migration.ClusterView;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How a service stands, as the cluster tells it, or an instance itself. */
@Command(
        name = "status",
        description = {
            "Tells how a service stands, running or not.",
            "It goes by what the cluster knows: members, lag of each input partition, what has not"
                    + " left, and what the index was made with. With --url it asks an instance instead: its"
                    + " state and figures, and members and lag of the whole group."
        },
        mixinStandardHelpOptions = true,
        versionProvider = ManifestVersion.class,
        footer = {
            "",
            "Examples, with the settings that the service runs with; and over HTTP, without:",
            "  java -jar neardup.jar status --config config/neardup.properties \\",
            "      --bootstrap-server localhost:9092",
            "  java -jar neardup.jar status --url " + ServiceOptions.DEFAULT_URL,
            "",
            "It changes nothing. Exit code 0 whether the service runs or not; with --url 1",
            "where none answers."
        })
final class StatusCommand implements Callable<Integer> {
    @Option(names = "--json", description = "Print it as a JSON object; with --url as the instance tells it.")
    private boolean json;

    @Mixin
    private ServiceOptions service = new ServiceOptions();

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Mixin
    private CommandTalk talk = new CommandTalk();

    @Override
    public Integer call() throws IOException, InterruptedException {
        talk.print(service.url().isPresent() ? ofInstance(service.url().get()) : ofCluster(), json);
        return ExitCode.OK;
    }

    private CommandReport ofInstance(String url) throws IOException, InterruptedException {
        if (options.isGiven()) {
            throw talk.wrong("--config and --set: of no effect beside --url; an instance tells of itself");
        }
        service.check(talk);
        ServiceClient client = service.clientOr(url);
        return new InstanceStatusReport(client.url(), (ObjectNode) client.status());
    }

    private CommandReport ofCluster() {
        if (service.isTokenGiven()) {
            throw talk.wrong("--token-file: expected --url beside it, found none");
        }
        QuietLog.prepare();
        NeardupConfig config = NeardupConfig.forCluster(options.settings());
        talk.askingCluster(config);
        try (ClusterView cluster = new ClusterView(config)) {
            return new ClusterStatusReport(config.applicationId(), ClusterStatus.of(config, cluster));
        }
    }
}
