package io.neardup.service.http;

import io.neardup.config.ConfigurationException;
import io.neardup.config.ListenAddress;
import io.neardup.service.cluster.FailureCause;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.util.BlockingArrayQueue;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * A port with threads of its own: whoever keeps one busy does not hinder another. All that a client can make it hold
 * is bounded.
 */
record HttpPort(Server server, ServerConnector connector) implements AutoCloseable {
    private static final int HEAD_BYTES_MAX = 8 << 10;
    private static final int QUEUED_MAX = 1_024;
    private static final int THREADS_MIN = 2;
    private static final int BACKLOG = 1_024;
    /** Others wait until one is closed. */
    private static final int CONNECTIONS_MAX = 1_024;

    /**
     * What a port takes.
     *
     * @param name of its threads
     * @param key the setting of its address, for messages
     * @param threads at the most: one accepts, one reads, the others answer
     * @param bodyBytes of a request at the most
     * @param sendMillis in which the head of a request must have come, and the longest pause in what follows
     */
    record PortBounds(String name, String key, int threads, long sendMillis, int bodyBytes) {}

    /**
     * Listens from now on.
     *
     * @throws ConfigurationException if nobody can listen there
     */
    static HttpPort open(ListenAddress address, PortBounds bounds, Handler handler) {
        QueuedThreadPool threads =
                new QueuedThreadPool(bounds.threads, THREADS_MIN, new BlockingArrayQueue<>(QUEUED_MAX, QUEUED_MAX));
        threads.setName(bounds.name);
        threads.setDaemon(true);
        Server server = new Server(threads);
        ServerConnector connector = connector(server, address, bounds);
        server.addConnector(connector);
        server.addBean(new NetworkConnectionLimit(CONNECTIONS_MAX, connector));
        server.setErrorHandler(jsonErrors(bounds.bodyBytes));
        SizeLimitHandler sizes = new SizeLimitHandler(bounds.bodyBytes, -1);
        sizes.setHandler(handler);
        server.setHandler(sizes);
        HttpPort port = new HttpPort(server, connector);
        try {
            server.start();
            return port;
        } catch (Exception e) {
            port.close();
            throw new ConfigurationException(
                    List.of(bounds.key + " = " + address + ": expected a free port of this machine, found "
                            + FailureCause.root(e)
                            + "; choose another, or stop who has it"));
        }
    }

    private static ServerConnector connector(Server server, ListenAddress address, PortBounds bounds) {
        HttpConfiguration http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(HEAD_BYTES_MAX);
        http.setPersistentConnectionsEnabled(false);
        ServerConnector connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(address.host());
        connector.setPort(address.port());
        connector.setAcceptQueueSize(BACKLOG);
        connector.setIdleTimeout(bounds.sendMillis);
        connector.addBean(new SlowSenders(connector.getScheduler(), bounds.sendMillis));
        return connector;
    }

    /**
     * Closes connections that have not sent the head of a request in time. An idle timeout does not: a client that
     * sends a byte now and then is not idle. Each connection is for one request.
     */
    private record SlowSenders(Scheduler scheduler, long headMillis) implements Connection.Listener {
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

    private static ErrorHandler jsonErrors(int bodyBytes) {
        return new ErrorHandler() {
            @Override
            protected void generateResponse(
                    Request request,
                    Response response,
                    int code,
                    @Nullable String message,
                    @Nullable Throwable cause,
                    Callback callback) {
                HttpError.sendForJetty(response, callback, code, request.getLength(), bodyBytes, HEAD_BYTES_MAX);
            }
        };
    }

    int port() {
        return connector.getLocalPort();
    }

    @Override
    public void close() {
        try {
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("expected an HTTP port to close, found " + e, e);
        }
    }
}
