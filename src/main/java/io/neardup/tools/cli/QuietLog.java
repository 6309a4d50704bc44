package io.neardup.tools.cli;

/** The log of a command that shows its own progress. */
final class QuietLog {
    private QuietLog() {}

    /**
     * Service and broker log their ordinary course, which would run through the progress. Both end with the command.
     */
    static void prepare() {
        setUnlessGiven("neardup.log.level", "WARN");
        setUnlessGiven("neardup.log.kafka", "ERROR");
        // The broker's own logging library would fail to register its hook when Ctrl-C comes early.
        setUnlessGiven("log4j.shutdownHookEnabled", "false");
    }

    private static void setUnlessGiven(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }
}
