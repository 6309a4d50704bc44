package io.neardup.service.cluster;

import io.neardup.config.ListenAddress;
import io.neardup.config.NeardupConfig;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.apache.kafka.streams.KafkaStreams;

/** How instances are called in their group, and how to find the one of a name. */
public final class InstanceName {
    private InstanceName() {}

    /** By a client id of its threads: those of Kafka Streams end with the thread. */
    public static String of(String clientId) {
        return clientId.replaceFirst("-StreamThread-.*", "");
    }

    /** That of this process. */
    public static String of(KafkaStreams streams) {
        return streams.metadataForLocalThreads().stream()
                .map(thread -> of(thread.threadName()))
                .findFirst()
                .orElseThrow();
    }

    /** The host of this process as it knows itself, and where it answers over HTTP; for the log. */
    public static String whereabouts(NeardupConfig config) {
        return "host=" + host() + " http="
                + config.httpListen().map(ListenAddress::toString).orElse("off");
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().toString();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }
}
