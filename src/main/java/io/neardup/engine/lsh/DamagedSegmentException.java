package io.neardup.engine.lsh;

import java.io.IOException;

/** A segment is not as it was written, or cannot be read: it has to be made again. */
public final class DamagedSegmentException extends IOException {
    private static final long serialVersionUID = 1;

    public DamagedSegmentException(String message) {
        super(message);
    }
}
