package io.neardup.tools.feed;

import java.io.IOException;

/**
 * A file is not unpacked: it gives far more than documents do, so that it may have been made to fill a memory or a
 * disk, or it needs a dictionary.
 */
public final class RefusedPackingException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedPackingException(String message) {
        super(message);
    }
}
