package io.neardup.bench;

import io.neardup.local.EmbeddedBroker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;

/** The side of the broker's process: says where it listens, and stops when its input ends. */
public final class BrokerWorker {
    private BrokerWorker() {}

    public static void serve(Path folder, BufferedReader requests, PrintWriter replies) throws IOException {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder)) {
            replies.println(broker.bootstrapServers());
            replies.flush();
            while (requests.readLine() != null) {
                // Nothing is asked of a broker.
            }
        }
    }
}
