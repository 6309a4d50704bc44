package io.neardup.service.cluster;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.acl.AclOperation;
import org.jspecify.annotations.Nullable;

/**
 * Something around the service is not as it must be, at its start or while it runs. The message says what was expected,
 * what was found, and the fix.
 */
public final class StartupException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public StartupException(String problem) {
        super(problem);
    }

    public StartupException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
    }

    public StartupException(List<String> problems, Throwable cause) {
        super(String.join(System.lineSeparator(), problems), cause);
    }

    public StartupException(String problem, @Nullable Throwable cause) {
        super(problem, cause);
    }

    /**
     * Throws it where there are problems.
     *
     * @param advice said behind them
     */
    public static void throwIfAny(List<String> problems, String... advice) {
        if (!problems.isEmpty()) {
            List<String> lines = new ArrayList<>(problems);
            lines.addAll(List.of(advice));
            throw new StartupException(lines);
        }
    }

    /** That this user may not do what a command does. */
    public static StartupException denied(String resource, AclOperation operation, Throwable cause) {
        String name = operation.name();
        return new StartupException(
                resource + ": expected that this user may " + name + ", found that it may not; allow it with"
                        + " kafka-acls.sh --add (src/docs/reference.md lists what each command needs)",
                cause);
    }

    /** That Kafka Streams refuses the nodes of an application beside those of the flow. */
    public static StartupException topology(Throwable cause) {
        return new StartupException(
                "topology of the application: expected nodes that go with those of the service, found "
                        + cause.getMessage() + "; look at the nodes that the application added",
                cause);
    }

    /** That nothing can be written to the folder of the state. */
    public static StartupException stateFolderUnwritable(@Nullable Object folder, Throwable cause) {
        return new StartupException(
                "state.dir " + folder
                        + ": expected a folder that this process alone can write to, found that it cannot ("
                        + FailureCause.root(cause)
                        + "); let this user write there, mount the disk writable, or name another folder",
                cause);
    }

    /** That another process has locked the folder of the state. */
    public static StartupException stateFolderInUse(@Nullable Object folder, @Nullable Throwable cause) {
        return new StartupException(
                "state.dir " + folder + ": expected a folder that this process alone can write to, found one that"
                        + " another process uses; stop that one, or give each instance on a machine a state.dir of its"
                        + " own",
                cause);
    }
}
