package io.neardup.tools.feed;

import io.neardup.service.cluster.FailureCause;
import io.neardup.service.cluster.StartupException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** How producers are set up that send many documents and wait for none. */
public final class BulkProducer {
    /** What a client holds of them. */
    public static final int BUFFER_BYTES = 32 << 20;

    /** To end a transaction that is not to be committed. A producer that was shut out would wait for longer. */
    private static final Duration CLOSING = Duration.ofSeconds(5);

    /** Kafka has no exception of its own for it. */
    private static final String OFFSET_DENIED = "TxnOffsetCommitResponse: Topic authorization failed";

    private BulkProducer() {}

    /**
     * One with large batches, packed.
     *
     * @param more settings of its own
     * @param closing how long its close waits for what it has not sent
     */
    public static Producer<byte[], byte[]> open(
            Map<String, Object> clients, Map<String, Object> more, Duration closing) {
        Map<String, Object> settings = new HashMap<>(clients);
        settings.putAll(Map.of("compression.type", "lz4", "linger.ms", 20, "batch.size", 256 << 10));
        settings.putAll(more);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer()) {
            @Override
            public void close() {
                close(closing);
            }
        };
    }

    /**
     * One that writes in transactions. An earlier one of the same id is shut out, and what it left open is ended: so
     * who reads positions after this finds the last.
     */
    static Producer<byte[], byte[]> transactional(Map<String, Object> clients, String transactionalId) {
        Map<String, Object> more = Map.of(
                ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId,
                ProducerConfig.MAX_REQUEST_SIZE_CONFIG, BUFFER_BYTES,
                ProducerConfig.BUFFER_MEMORY_CONFIG, (long) BUFFER_BYTES);
        Producer<byte[], byte[]> producer = open(clients, more, CLOSING);
        try {
            producer.initTransactions();
            return producer;
        } catch (KafkaException e) {
            producer.close();
            throw e;
        }
    }

    /**
     * Explains to operators why a cluster does not take records: names the right that is missing, if one is.
     *
     * @param id of the transactions and of the group whose offsets are committed with them
     * @param topic that the offsets are of
     * @param operation what is denied where a topic is
     * @param what was expected or found, to begin a sentence with
     */
    static RuntimeException refused(String id, String topic, Throwable failure, AclOperation operation, String what) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof TopicAuthorizationException denied) {
                String topics = denied.unauthorizedTopics().isEmpty()
                        ? topic
                        : denied.unauthorizedTopics().toString();
                return StartupException.denied("topics " + topics, operation, failure);
            }
            if (String.valueOf(cause.getMessage()).contains(OFFSET_DENIED)) {
                return StartupException.denied("topic " + topic, AclOperation.READ, failure);
            }
            if (cause instanceof GroupAuthorizationException) {
                return StartupException.denied("group " + id, AclOperation.READ, failure);
            }
            if (cause instanceof ProducerFencedException || cause instanceof InvalidProducerEpochException) {
                return new StartupException(
                        "expected to be the only sender of these records, found that another one has started since:"
                                + " what was committed stays sent, and the other continues after it",
                        failure);
            }
            if (cause instanceof TransactionalIdAuthorizationException) {
                return StartupException.denied("transactional id " + id, AclOperation.WRITE, failure);
            }
        }
        return new StartupException(
                what + ", found: " + FailureCause.root(failure).getMessage(), failure);
    }
}
