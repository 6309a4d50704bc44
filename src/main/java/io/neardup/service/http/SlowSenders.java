package io.neardup.service.http;

import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Closes connections that have not sent the head of a request in time. An idle timeout does not: a client that sends a
 * byte now and then is not idle. Each connection is for one request.
 */
final class SlowSenders implements Connection.Listener {
    private final Scheduler scheduler;
    private final long headMillis;

    SlowSenders(Scheduler scheduler, long headMillis) {
        this.scheduler = scheduler;
        this.headMillis = headMillis;
    }

    @Override
    public void onOpened(Connection connection) {
        scheduler.schedule(() -> closeWithoutRequest(connection), headMillis, TimeUnit.MILLISECONDS);
    }

    private static void closeWithoutRequest(Connection connection) {
        if (connection.getMessagesIn() == 0) {
            connection.getEndPoint().close();
        }
    }
}
