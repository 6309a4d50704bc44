package io.neardup.service.cluster;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Whether the cluster takes transactions: Kafka Streams would try for ever, without a word that an operator sees. */
public final class TransactionCheck {
    private static final int PATIENCE_MILLIS = 30_000;

    private TransactionCheck() {}

    /**
     * Registers for transactions, and begins none.
     *
     * @param clients what a client needs to reach the cluster
     * @throws StartupException if the cluster does not let us
     */
    public static void check(Map<String, Object> clients, String applicationId) {
        Map<String, Object> settings = new HashMap<>(clients);
        settings.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, applicationId + "-start");
        settings.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE_MILLIS);
        settings.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, 10);
        try {
            register(settings);
        } catch (ConfigException | InterruptException e) {
            throw e;
        } catch (TransactionalIdAuthorizationException e) {
            throw AccessCheck.deniedTransactions(applicationId, e);
        } catch (KafkaException e) {
            throw notTaken(e);
        }
    }

    private static void register(Map<String, Object> settings) {
        KafkaProducer<byte[], byte[]> producer = producer(settings);
        try {
            producer.initTransactions();
        } finally {
            producer.close(Duration.ZERO);
        }
    }

    private static KafkaProducer<byte[], byte[]> producer(Map<String, Object> settings) {
        try {
            return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
        } catch (ConfigException e) {
            throw e;
        } catch (KafkaException e) {
            throw AdminClient.noClient(e, String.valueOf(settings.get(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG)));
        }
    }

    private static StartupException notTaken(KafkaException failure) {
        return new StartupException(
                "transactions: expected the cluster to take them within " + PATIENCE_MILLIS / 1000 + " s, found "
                        + failure.getClass().getSimpleName() + ": " + failure.getMessage()
                        + "; check that its settings transaction.state.log.replication.factor and"
                        + " transaction.state.log.min.isr ask for no more brokers than run",
                failure);
    }
}
