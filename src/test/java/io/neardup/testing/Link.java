package io.neardup.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Collection;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.kafka.common.utils.Utils;

/**
 * The network between one client and a broker, which can be cut. Then nothing passes in either direction, and neither
 * side is told: what was on its way arrives when the link is whole again, as with TCP.
 */
public final class Link implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final ServerSocket entrance;
    private final int brokerPort;
    private final Collection<Socket> sockets = new ConcurrentLinkedQueue<>();
    private boolean isCut;

    /** Listens on a port of its own. */
    Link() throws IOException {
        entrance = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        brokerPort = BrokerProcess.freePort();
        OwnThread.named("link").execute(this::accept);
    }

    /** Where the client connects. */
    int port() {
        return entrance.getLocalPort();
    }

    /** Where the broker is to listen. */
    int brokerPort() {
        return brokerPort;
    }

    public synchronized void cut() {
        isCut = true;
    }

    public synchronized void mend() {
        isCut = false;
        notifyAll();
    }

    private synchronized void awaitWhole() throws InterruptedException {
        while (isCut) {
            wait();
        }
    }

    private void accept() {
        while (!entrance.isClosed()) {
            try {
                Socket client = entrance.accept();
                sockets.add(client);
                OwnThread.named("link-out").execute(() -> connect(client));
            } catch (IOException e) {
                // It was closed.
                return;
            }
        }
    }

    private void connect(Socket client) {
        try {
            awaitWhole();
            Socket broker = new Socket(InetAddress.getLoopbackAddress(), brokerPort);
            sockets.add(broker);
            OwnThread.named("link-in").execute(() -> pass(broker, client));
            pass(client, broker);
        } catch (IOException e) {
            close(client);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            for (int read = 0; read >= 0; read = from.getInputStream().read(buffer)) {
                awaitWhole();
                to.getOutputStream().write(buffer, 0, read);
            }
            awaitWhole();
        } catch (IOException e) {
            // One of them has closed the connection: the other is told below.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close(from);
        close(to);
    }

    private void close(Socket socket) {
        sockets.remove(socket);
        Utils.closeQuietly(socket, "a side of a link");
    }

    @Override
    public void close() {
        Utils.closeQuietly(entrance, "a link");
        sockets.forEach(this::close);
    }
}
