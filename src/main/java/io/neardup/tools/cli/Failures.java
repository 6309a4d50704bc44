package io.neardup.tools.cli;

import io.neardup.config.ConfigurationException;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.record.Printable;
import io.neardup.record.SchemaRegistry;
import io.neardup.service.cluster.StartupException;
import io.neardup.tools.feed.UnusableFileException;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.util.Map;
import java.util.Optional;
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
        Optional<String> renamed = renamed(e, command);
        String message = renamed.orElseGet(() -> String.valueOf(e.getMessage()));
        command.getErr().println(name(command) + ": " + Printable.lines(message));
        if (renamed.isPresent() || !UnmatchedArgumentException.printSuggestions(e, command.getErr())) {
            command.getErr().println("Try: " + name(command) + " --help");
        }
        return ExitCode.USAGE;
    }

    private static Optional<String> renamed(ParameterException e, CommandLine command) {
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            return Optional.empty();
        }
        String above = command.getParent() == null ? "" : command.getCommandName() + " ";
        String called = above + unmatched.getUnmatched().get(0).replaceFirst("=.*", "");
        return Optional.ofNullable(RENAMED.get(called)).map(now -> called + " is called " + now + " now");
    }

    static int failed(Exception e, CommandLine command, ParseResult parsed) {
        LoggerFactory.getLogger(Failures.class).debug("failed", e);
        command.getErr().println(name(command) + ": " + Printable.lines(message(e)));
        return e instanceof ConfigurationException
                        || e instanceof ConfigException
                        || e instanceof UnusableFileException
                        || e instanceof InvalidPathException
                ? ExitCode.USAGE
                : ExitCode.SOFTWARE;
    }

    /** What did not fit, and the ways out. */
    static IOException heapTooSmall(String what, OutOfMemoryError e) {
        return new IOException(
                what + " do not fit in a heap of " + (Runtime.getRuntime().maxMemory() >> 20)
                        + " MB: take fewer documents, or a larger heap (java -Xmx4g -jar ...)",
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
        if (e instanceof InvalidPathException unnamed) {
            return "expected a name of a file that this locale can write, found " + unnamed.getInput()
                    + "; set another one, such as LC_ALL=C.UTF-8";
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
