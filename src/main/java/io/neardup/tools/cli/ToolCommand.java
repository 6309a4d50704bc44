package io.neardup.tools.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** A command: what each says of its progress and its results, and of what is wrong with its options. */
@Command(mixinStandardHelpOptions = true, versionProvider = Main.Version.class, footerHeading = "%n")
abstract class ToolCommand implements Callable<Integer> {
    private static final Path STANDARD_ERROR = Path.of("/proc/self/fd/2");

    @Spec
    private CommandSpec spec = CommandSpec.create();

    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Progress on the standard error; to be closed before results are printed. */
    ProgressLines progress() {
        return new ProgressLines(err(), isTerminal());
    }

    /**
     * Whether somebody is watching. Where the system does not tell, standard error counts as a terminal if input and
     * output are (from JDK 22 on: always).
     */
    @SuppressWarnings("SystemConsoleNull")
    private static boolean isTerminal() {
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

    /**
     * Service and broker log their ordinary course, which would run through the progress. Both end with the command.
     */
    static void quietLog() {
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

    /** The settings of a cluster that is asked now. */
    NeardupConfig clusterConfig(ClusterOptions options) {
        quietLog();
        NeardupConfig config = NeardupConfig.forCluster(options.settings());
        printCluster(config);
        return config;
    }

    /** Says which cluster is asked: one that does not answer is waited for. */
    void printCluster(NeardupConfig config) {
        err().println("contacting bootstrap.servers "
                + config.bootstrapServers().orElse("(none)") + " ...");
        err().flush();
    }

    /** Whether what cannot be undone may be done: asks somebody who must type yes. */
    boolean confirm(String question) throws IOException {
        out().print(question + " Type yes: ");
        out().flush();
        String answer = new BufferedReader(new InputStreamReader(System.in, UTF_8)).readLine();
        return answer != null && answer.strip().equals("yes");
    }

    /** Of a command below another one, which is not called then: what stands before its name has no effect. */
    void requireNothingBefore() {
        List<ArgSpec> before = spec.commandLine().getParent().getParseResult().matchedArgs();
        if (!before.isEmpty()) {
            ArgSpec first = before.get(0);
            throw wrong("expected options and files after " + spec.name() + ", found "
                    + (first instanceof OptionSpec option ? option.longestName() : first.paramLabel()) + " before it");
        }
    }

    ParseResult parsed() {
        return spec.commandLine().getParseResult();
    }

    ParameterException wrong(@Nullable String message) {
        return new ParameterException(spec.commandLine(), message);
    }

    void check(boolean holds, String option, String expected, Object found) {
        if (!holds) {
            throw wrong(option + ": expected " + expected + ", found " + found);
        }
    }

    void check(String option, int number, int min, int max) {
        check(number >= min && number <= max, option, min + " to " + max, number);
    }

    void requireBeside(String option, String other) {
        check(
                !parsed().hasMatchedOption(option) || parsed().hasMatchedOption(other),
                option,
                other + " beside it",
                "none");
    }

    /** What was asked for and would have no effect is a mistake. */
    void refuseOthers(String what, Set<String> known, String instead) {
        String others = parsed().matchedOptions().stream()
                .map(OptionSpec::longestName)
                .filter(name -> !known.contains(name))
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        if (!others.isEmpty()) {
            throw wrong(others + ": no effect with " + what + "; " + instead);
        }
    }

    /** What {@code --since} is given, in milliseconds; empty where it is not. What is no time is wrong usage. */
    OptionalLong since(@Nullable String given) {
        if (given == null) {
            return OptionalLong.empty();
        }
        try {
            boolean isAgo = given.matches("[1-9][0-9]{0,5}[mhd]");
            Instant since = isAgo
                    ? Instant.now().minus(Duration.parse((given.endsWith("d") ? "P" : "PT") + given))
                    : Instant.parse(given);
            return OptionalLong.of(since.toEpochMilli());
        } catch (DateTimeException e) {
            throw wrong("--since: expected a time such as 12h, 7d or 2026-01-31T08:00:00Z, found " + given);
        }
    }

    /** Settings under which exact similarities, which some commands measure, are the Jaccard similarity of shingles. */
    NeardupConfig comparingShingles(String command, Settings settings) {
        NeardupConfig config = NeardupConfig.of(settings);
        if (!config.comparesByJaccard()) {
            throw wrong(command + " compares by the Jaccard similarity of shingles: expected neardup.signature=minhash"
                    + " and neardup.similarity.measure=jaccard, found " + config.signature() + " and "
                    + config.measure().name().toLowerCase(Locale.ROOT));
        }
        return config;
    }
}
