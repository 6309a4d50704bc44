package io.neardup.tools.analysis;

import java.io.IOException;

/** Documents that can be read from the start more than once. */
@FunctionalInterface
public interface DocumentSource {
    /** Begins anew; to be closed by the caller. */
    DocumentLines open() throws IOException;
}
