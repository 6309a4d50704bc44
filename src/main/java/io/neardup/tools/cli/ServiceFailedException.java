package io.neardup.tools.cli;

/** The service stopped by itself. */
final class ServiceFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ServiceFailedException(Throwable cause) {
        super("the service failed: " + root(cause) + "; the log says more", cause);
    }

    private static Throwable root(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }
}
