package io.neardup.feed;

import java.io.IOException;

/** A file unpacks to far more than documents do: it may have been made to fill a memory or a disk. */
public final class ExpansionException extends IOException {
    private static final long serialVersionUID = 1L;

    ExpansionException(String message) {
        super(message);
    }
}
