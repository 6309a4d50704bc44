package io.neardup.app;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Whether the cluster takes transactions: Kafka Streams would try for ever, without a word that an operator sees. */
final class TransactionCheck {
    private static final int PATIENCE_MILLIS = 30_000;

    private TransactionCheck() {}

    /**
     * Registers for transactions, and begins none.
     *
     * @param clients what a client needs to reach the cluster
     * @throws StartupException if the cluster does not let us
     */
    static void check(Map<String, Object> clients, String applicationId) {
        Map<String, Object> settings = new HashMap<>(clients);
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, applicationId + "-start");
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE_MILLIS);
        KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        try {
            producer.initTransactions();
        } catch (ConfigException e) {
            throw e;
        } catch (KafkaException e) {
            throw new StartupException(
                    "transactions: expected the cluster to take them within " + PATIENCE_MILLIS / 1000 + " s, found "
                            + e.getClass().getSimpleName() + ": " + e.getMessage()
                            + "; check that its settings transaction.state.log.replication.factor and"
                            + " transaction.state.log.min.isr ask for no more brokers than run, and that this user may"
                            + " write transactional ids that begin with " + applicationId,
                    e);
        } finally {
            producer.close(Duration.ZERO);
        }
    }
}
