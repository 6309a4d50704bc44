package io.neardup.bench;

import io.neardup.tools.local.EmbeddedBroker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;

/** What runs in the broker's process. It says where the broker listens, and stops it when the standard input ends. */
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
