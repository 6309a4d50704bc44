package io.neardup.tools.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.common.utils.AppInfoParser;
import picocli.CommandLine.IVersionProvider;

/** What the build wrote into the jar, and the Kafka that is beside it: what a report of a fault needs. */
final class ManifestVersion implements IVersionProvider {
    private static final String UNKNOWN = "unknown";

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
        try (InputStream file = Objects.requireNonNull(ManifestVersion.class.getResourceAsStream("build.properties"))) {
            return commit(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param file as the build fills it in; as it stands in the sources where another tool compiled them */
    static String commit(InputStream file) throws IOException {
        Properties written = new Properties();
        written.load(file);
        String commit = written.getProperty("commit", UNKNOWN);
        return commit.startsWith("$") ? UNKNOWN : commit;
    }
}
