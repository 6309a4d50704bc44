package io.neardup.app;

import java.util.List;

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
}
