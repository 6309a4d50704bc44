package io.neardup.tools.cli;

import picocli.CommandLine.Mixin;

/** A command that speaks to a cluster. */
abstract class ClusterCommand extends ReportingCommand {
    @Mixin
    ClusterOptions options = new ClusterOptions();
}
