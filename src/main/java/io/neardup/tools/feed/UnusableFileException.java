package io.neardup.tools.feed;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file or folder that was named cannot be taken: it is missing, or not what it should be. The message names it. */
public class UnusableFileException extends IOException {
    private static final long serialVersionUID = 1L;

    public UnusableFileException(String message) {
        super(message);
    }

    public UnusableFileException(String message, @Nullable IOException cause) {
        super(message, cause);
    }

    /** Of a file that is not there. */
    public static UnusableFileException missing(Object file) {
        return new UnusableFileException(file + " does not exist: check the path");
    }
}
