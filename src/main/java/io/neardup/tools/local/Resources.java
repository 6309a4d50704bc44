package io.neardup.tools.local;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is open. It is closed in the reverse order by whoever comes first: the run at its end, or the JVM's shutdown on
 * another thread. The other one waits.
 *
 * <p>A close waits for what is just being opened, and nothing is opened after it.
 */
public final class Resources implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Resources.class);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private boolean closed;

    public interface Opening<T, E extends Exception> {
        T open() throws E;
    }

    /**
     * Opens something, to be closed with the rest.
     *
     * @throws ClosedException after {@link #close}
     */
    public synchronized <T extends AutoCloseable, E extends Exception> T open(Opening<T, E> opening) throws E {
        if (closed) {
            throw new ClosedException();
        }
        T opened = opening.open();
        open.push(opened);
        return opened;
    }

    public synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public synchronized void close() {
        closed = true;
        while (!open.isEmpty()) {
            AutoCloseable last = open.pop();
            try {
                last.close();
            } catch (Exception e) {
                // What remains has to be closed all the same.
                LOG.warn("could not close {}: {}", last.getClass().getSimpleName(), e.toString());
                LOG.debug("could not close", e);
            }
        }
    }

    /** The run is being stopped from outside. */
    public static final class ClosedException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        ClosedException() {
            super("stopped");
        }
    }
}
