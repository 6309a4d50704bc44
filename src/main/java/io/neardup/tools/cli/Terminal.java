package io.neardup.tools.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Whether somebody is watching. */
final class Terminal {
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    private Terminal() {}

    /**
     * Where the system does not tell, standard error counts as a terminal if input and output are (from JDK 22 on:
     * always).
     */
    @SuppressWarnings("SystemConsoleNull")
    static boolean isStandardError() {
        if ("dumb".equals(System.getenv("TERM"))) {
            return false;
        }
        try {
            String device = Files.readSymbolicLink(STANDARD_ERROR).toString();
            return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty") || device.equals("/dev/console");
        } catch (IOException | UnsupportedOperationException e) {
            return System.console() != null;
        }
    }
}
