package io.neardup.service.cluster;

import io.neardup.config.NeardupConfig;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;

/** Opens the client that asks about topics and groups, or says which settings keep it from that. */
public final class AdminClient {
    private AdminClient() {}

    public static Admin open(NeardupConfig config) {
        try {
            return Admin.create(StreamsSettings.clients(config));
        } catch (KafkaException e) {
            throw noClient(e, cluster(config));
        }
    }

    /** What a parser of sasl.jaas.config says may quote a password; the log would have it from the cause. */
    static StartupException noClient(KafkaException failure, String cluster) {
        String said = "";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (message.contains("JAAS")) {
                return new StartupException(
                        List.of("sasl.jaas.config: expected a login module, required, its options as"
                                + " key=\"value\", and a semicolon at the end; found another form, which is not"
                                + " shown"));
            }
            said = cause instanceof KafkaException ? message : said;
        }
        return new StartupException(
                "bootstrap.servers " + cluster + ": expected host:port,host:port of a cluster and keys for its clients,"
                        + " found: " + said
                        + "; check them, and the keys that begin with sasl. and ssl.",
                failure);
    }

    public static String cluster(NeardupConfig config) {
        return config.bootstrapServers().orElse("(none)");
    }
}
