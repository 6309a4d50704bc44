package io.neardup.tools.cli;

import picocli.CommandLine.Mixin;

/** A command that works by settings, without a cluster. */
abstract class SettingsCommand extends ReportingCommand {
    @Mixin
    SettingsOptions options = new SettingsOptions();
}
