package io.neardup.app;

import java.util.List;
import org.apache.kafka.common.acl.AclOperation;

/**
 * Something around the service is not as it must be, at its start or while it runs. The message says what was expected,
 * what was found, and the way out.
 */
public final class StartupException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StartupException(List<String> problems) {
        super(String.join(System.lineSeparator(), problems));
    }

    StartupException(List<String> problems, Throwable cause) {
        super(String.join(System.lineSeparator(), problems), cause);
    }

    StartupException(String problem, Throwable cause) {
        super(problem, cause);
    }

    /** That this user may not do what a command does. */
    public static StartupException denied(String resource, AclOperation operation, Throwable cause) {
        String name = operation.name();
        return new StartupException(
                resource + ": expected that this user may " + name + ", found that it may not; allow it with"
                        + " kafka-acls.sh --add (src/docs/operations.md lists what each command needs)",
                cause);
    }
}
