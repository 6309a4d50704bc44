package io.neardup.tools.cli;

import io.neardup.config.Settings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The settings of a command that speaks to a cluster, with the options that Kafka's own tools have for it. */
final class ClusterOptions extends SettingsOptions {
    @Option(
            names = "--bootstrap-server",
            paramLabel = "HOST:PORT",
            description = "The cluster, as in Kafka's tools; several with commas between. Over bootstrap.servers.")
    private @Nullable String bootstrapServer;

    @Option(
            names = "--command-config",
            paramLabel = "FILE",
            description = "Settings of Kafka's clients, such as those for security. Over --config and the environment;"
                    + " --set goes over it.")
    private @Nullable Path commandConfig;

    @Option(names = "--group", paramLabel = "ID", description = "The group of the service. Over application.id.")
    private @Nullable String group;

    @Override
    Settings settings() {
        Settings settings = fileAndEnvironment();
        if (commandConfig != null) {
            settings.file(commandConfig);
        }
        withPairs(settings);
        if (bootstrapServer != null) {
            settings.set("bootstrap.servers", bootstrapServer, "--bootstrap-server");
        }
        if (group != null) {
            settings.set("application.id", group, "--group");
        }
        return settings;
    }
}
