package io.neardup.tools.feed;

import java.io.InputStream;
import java.util.List;
import java.util.Map;

/**
 * What is to be sent, and where.
 *
 * @param clients what a client needs to reach the cluster
 * @param applicationId what the names of transactions and positions begin with
 * @param topic must exist
 * @param files paths of files and folders, or {@code -} for the standard input
 * @param standardInput what {@code -} stands for; not closed
 * @param rate records a second at the most; 0 for as many as the cluster takes
 * @param fromStart sends all, whatever was sent before
 */
public record PublishOptions(
        Map<String, Object> clients,
        String applicationId,
        String topic,
        List<String> files,
        InputStream standardInput,
        double rate,
        boolean fromStart) {
    public PublishOptions {
        clients = Map.copyOf(clients);
        files = List.copyOf(files);
    }
}
