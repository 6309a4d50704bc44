package io.neardup.service.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.common.errors.UnsupportedVersionException;

/**
 * What brokers can do only from some version on. The service runs without it, too.
 *
 * @param listTransactionsByAge from Kafka 3.8 on (KIP-994)
 * @param fenceLateWrites whether a write that comes late is distinguished from those of the next transaction: KIP-890,
 *     from Kafka 4.0 on where the cluster's feature transaction.version is 2
 */
public record BrokerFeatures(boolean listTransactionsByAge, boolean fenceLateWrites) {
    private static final String FEATURE = "transaction.version";
    private static final int FENCES_LATE_WRITES = 2;

    /** Asks the cluster. */
    public static BrokerFeatures of(ClusterAdmin admin) {
        Optional<FinalizedVersionRange> transactions = Optional.ofNullable(
                admin.answer(admin.client().describeFeatures().featureMetadata())
                        .finalizedFeatures()
                        .get(FEATURE));
        boolean fences = transactions
                .filter(version -> version.maxVersionLevel() >= FENCES_LATE_WRITES)
                .isPresent();
        return new BrokerFeatures(listsByAge(admin), fences);
    }

    private static boolean listsByAge(ClusterAdmin admin) {
        ListTransactionsOptions none = new ListTransactionsOptions().filterOnDuration(Long.MAX_VALUE);
        try {
            admin.answer(admin.client().listTransactions(none).all());
            return true;
        } catch (StartupException e) {
            if (e.getCause() instanceof UnsupportedVersionException) {
                return false;
            }
            throw e;
        }
    }

    /** What is missing and what that means, in one line; empty where nothing is. */
    public Optional<String> lacking() {
        List<String> lacking = new ArrayList<>();
        if (!listTransactionsByAge) {
            lacking.add("they cannot list transactions by age (Kafka 3.8 can), so where an instance dies and stays"
                    + " away, what it was deciding may wait until they end its transactions, 10 to 20 s by default");
        }
        if (!fenceLateWrites) {
            lacking.add("they do not use transaction.version 2 (Kafka 4.0 can), so a write that reaches them late may"
                    + " leave a transaction open, behind which nobody reads on until kafka-transactions.sh aborts it");
        }
        return lacking.isEmpty()
                ? Optional.empty()
                : Optional.of("the service goes on without what the brokers lack: " + String.join("; ", lacking));
    }
}
