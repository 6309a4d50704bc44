package io.neardup.tools.cli;

import io.neardup.config.ConfigurationException;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.record.Printable;
import io.neardup.record.SchemaRegistry;
import io.neardup.service.cluster.StartupException;
import io.neardup.tools.feed.UnusableFileException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns failures into messages and exit codes. Stack traces are in the log at level DEBUG. */
final class Failures {
    /** What was a command or an option of an earlier release, and how it is called now. */
    private static final Map<String, String> RENAMED = Map.of(
            "broker", "local --serve --data DIR",
            "cutover", "index cutover",
            "reset", "index reset",
            "topology", "plan",
            "curve", "plan",
            "tune --find", "plan --find",
            "tune --reject", "plan --reject",
            "tune --common", "tune boilerplate --write",
            "tune --boilerplate", "tune boilerplate --write",
            "tune --frequencies", "tune weights --write");

    private Failures() {}

    static int wrongUsage(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        String message = message(e, command);
        command.getErr().println(name(command) + ": " + Printable.lines(message));
        if (!message.equals(e.getMessage()) || !UnmatchedArgumentException.printSuggestions(e, command.getErr())) {
            command.getErr().println("Try: " + name(command) + " --help");
        }
        return ExitCode.USAGE;
    }

    private static String message(ParameterException e, CommandLine command) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            String found = unmatched.getUnmatched().get(0);
            String called =
                    (command.getParent() == null ? "" : command.getCommandName() + " ") + found.replaceFirst("=.*", "");
            if (RENAMED.containsKey(called)) {
                return called + " is called " + RENAMED.get(called) + " now";
            }
            if (!command.getSubcommands().isEmpty() && !unmatched.isUnknownOption()) {
                return commandsOf(command) + ", found " + found;
            }
        } else if (e.getClass() == ParameterException.class
                && e.getArgSpec() == null
                && !(command.getCommand() instanceof Callable)
                && !command.getSubcommands().isEmpty()) {
            return commandsOf(command);
        }
        return String.valueOf(e.getMessage());
    }

    /** What there is where a program was given none of its commands. */
    private static String commandsOf(CommandLine program) {
        List<String> commands = program.getSubcommands().entrySet().stream()
                .filter(command ->
                        !command.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey)
                .toList();
        int last = commands.size() - 1;
        return "expected a command: " + String.join(", ", commands.subList(0, last)) + " or " + commands.get(last);
    }

    static int failed(Exception e, CommandLine command, ParseResult parsed) {
        LoggerFactory.getLogger(Failures.class).debug("failed", e);
        command.getErr().println(name(command) + ": " + Printable.lines(message(e)));
        return e instanceof ConfigurationException || e instanceof ConfigException || e instanceof UnusableFileException
                ? ExitCode.USAGE
                : ExitCode.SOFTWARE;
    }

    /** What did not fit, and the ways out. */
    static IOException heapTooSmall(String what, OutOfMemoryError e) {
        return new IOException(
                what + " do not fit in a heap of " + (Runtime.getRuntime().maxMemory() >> 20)
                        + " MB: take fewer (--documents) or a larger heap (java -Xmx4g -jar ...)",
                e);
    }

    private static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName();
    }

    static String message(Exception e) {
        if (e instanceof TopicAuthorizationException denied) {
            return message(StartupException.denied("topics " + denied.unauthorizedTopics(), AclOperation.READ, denied));
        }
        if (e instanceof TimeoutException) {
            return "expected the brokers to answer in time, found " + e.getMessage()
                    + "; check that they are well, and try again";
        }
        boolean forOperators = e instanceof ConfigurationException
                || e instanceof ConfigException
                || e instanceof StartupException
                || e instanceof UnsignableException
                || e instanceof SchemaRegistry.UnreachableException
                || e instanceof IOException;
        return forOperators
                ? String.valueOf(e.getMessage())
                : "unexpected failure: " + e + "; -Dneardup.log.level=DEBUG shows where";
    }
}
