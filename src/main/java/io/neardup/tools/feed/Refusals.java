package io.neardup.tools.feed;

import io.neardup.service.cluster.StartupException;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;

/**
 * Explains to operators why a cluster does not take records.
 *
 * @param id of the transactions and of the group whose offsets are committed with them
 * @param topic that the offsets are of
 */
public record Refusals(String id, String topic) {
    /** Kafka has no exception of its own for it. */
    private static final String OFFSET_DENIED = "TxnOffsetCommitResponse: Topic authorization failed";

    /**
     * Names the right that is missing, if one is.
     *
     * @param operation what is denied where a topic is
     * @param what was expected or found, to begin a sentence with
     */
    public RuntimeException explained(Throwable failure, AclOperation operation, String what) {
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
                        "expected to be the only one that sends these, found another that has begun since: what was"
                                + " committed stays sent, and the other goes on behind it",
                        failure);
            }
            if (cause instanceof TransactionalIdAuthorizationException) {
                return StartupException.denied("transactional id " + id, AclOperation.WRITE, failure);
            }
        }
        Throwable told =
                failure instanceof ExecutionException && failure.getCause() != null ? failure.getCause() : failure;
        return new StartupException(what + ", found: " + told.getMessage(), failure);
    }
}
