package io.neardup.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar. */
final class ManifestVersion implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = Main.class.getPackage().getImplementationVersion();
        return new String[] {"neardup " + Objects.requireNonNullElse(version, "(not packaged)")};
    }
}
