package io.neardup.tools.audit;

import io.neardup.record.Verdict;
import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The verdicts of one service, in lanes that can be read one by one, each as often as is needed. All verdicts on an
 * input partition are in one lane, in the order of the input; a lane may hold those on several, mixed.
 */
public interface VerdictLog extends AutoCloseable {

    /** What it is called: a topic or a file. */
    String name();

    /** How many lanes it has, at least 1. */
    int lanes();

    /**
     * Begins to read a lane.
     *
     * @param lane 0 to {@link #lanes}, exclusive
     * @throws IOException if it cannot be read
     */
    Lane open(int lane) throws IOException;

    /** One reading of a lane. */
    interface Lane extends Closeable {
        /**
         * The next verdict; null at the end.
         *
         * @throws IOException if it cannot be read, or is no verdict
         */
        @Nullable
        Verdict next() throws IOException;
    }

    @Override
    void close();
}
