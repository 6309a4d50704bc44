package io.neardup.service.cluster;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.ConsumerGroupDescription;
import org.apache.kafka.clients.admin.FinalizedVersionRange;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the transactions that a dead instance left open, once the group has noticed its death. Whoever takes over cannot
 * read on before they end. The broker ends them only when they have timed out, which it looks for every 10 seconds.
 *
 * <p>While the group rests, one broker alone is asked, who its members are. Every broker is asked for its transactions
 * only where that has changed of late.
 *
 * <p>An instance that is alive after all, such as one that stood still for longer than its session, finds itself
 * fenced. It has lost its tasks by then, and joins the group again as it would have.
 *
 * <p>Kafka Streams gives each process a UUID. Transactional ids are {@code application-UUID-thread}. The ids of
 * members are {@code application-UUID-StreamThread-thread-consumer}, or begin with client.id where that is set. A
 * client.id that looks like {@code application-UUID} is refused at the start, so the UUID of a member is that of its
 * transactions. Where a member has another form nothing can be known of it, and transactions are left to time out.
 */
public final class AbandonedTransactions {
    private static final Logger LOG = LoggerFactory.getLogger(AbandonedTransactions.class);
    private static final String UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
    private static final String OF_CONSUMER = "-StreamThread-[0-9]+-consumer";
    private static final String OF_TRANSACTION = "-[0-9]+";
    private static final String LACKING = "the service goes on without what the brokers lack: ";
    private static final short FENCES_LATE_WRITES = 2;
    private static final long ANSWER_SECONDS = 5;
    /** For longer than it takes to end what was left, at the first try or a later one. */
    private static final long CHANGED_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Others last about as long as the commit interval. */
    private static final long OLD_MILLIS = 1_000;

    private final ClusterAdmin admin;
    private final String group;
    /** Ids as they were at the last look: a process that starts again has others. */
    private Set<String> members = Set.of();

    private long changedNanos;
    private boolean isUnsupported;

    public AbandonedTransactions(ClusterAdmin admin, String applicationId) {
        this.admin = admin.within(ANSWER_SECONDS);
        this.group = applicationId;
    }

    /**
     * What follows where brokers do not distinguish a write that comes late from those of the next transaction; empty
     * where they do: KIP-890, from Kafka 4.0 on where the cluster's feature transaction.version is 2.
     */
    public static Optional<String> lateWritesWarning(ClusterAdmin admin) {
        FinalizedVersionRange version = admin.answer(
                        admin.client().describeFeatures().featureMetadata())
                .finalizedFeatures()
                .get("transaction.version");
        return version != null && version.maxVersionLevel() >= FENCES_LATE_WRITES
                ? Optional.empty()
                : Optional.of(LACKING + "they do not use transaction.version 2 (Kafka 4.0 can), so a write that reaches"
                        + " them late may leave a transaction open, behind which nobody reads on until"
                        + " kafka-transactions.sh aborts it");
    }

    /** Looks once, and ends what it finds; brokers before Kafka 3.8 (KIP-994) do not let it, and are asked once. */
    public void look() {
        if (isUnsupported) {
            return;
        }
        try {
            if (admin.group(group).filter(this::hasChanged).isPresent()) {
                endAbandoned();
            }
        } catch (InterruptException e) {
            throw e;
        } catch (RuntimeException e) {
            if (e.getCause() instanceof UnsupportedVersionException) {
                isUnsupported = true;
                LOG.info(
                        "{}they cannot list transactions by age (Kafka 3.8 can), so where an instance dies and stays"
                                + " away, what it was deciding may wait until they end its transactions, 10 to 20 s by"
                                + " default",
                        LACKING);
            } else {
                // While brokers come and go single looks fail, and the next one makes up for it.
                members = Set.of();
                LOG.debug("could not look for transactions of instances that are gone; cause={}", e.toString());
            }
        }
    }

    /** Whether one may have left something behind of late, also before the first members that are seen. */
    private boolean hasChanged(ConsumerGroupDescription found) {
        Set<String> now =
                found.members().stream().map(MemberDescription::consumerId).collect(Collectors.toSet());
        if (found.groupState() != GroupState.STABLE || !now.equals(members)) {
            changedNanos = System.nanoTime();
        }
        members = now;
        return !now.isEmpty() && System.nanoTime() - changedNanos < CHANGED_NANOS;
    }

    /** Looks at the members again, after the transactions: who has just joined may have begun one. */
    private void endAbandoned() {
        Set<String> old = oldTransactions();
        if (!old.isEmpty()) {
            List<String> clientIds =
                    admin.group(group).map(ConsumerGroupDescription::members).orElse(List.of()).stream()
                            .map(MemberDescription::clientId)
                            .toList();
            Set<String> abandoned = abandoned(group, old, clientIds);
            if (!abandoned.isEmpty()) {
                admin.shutOut(abandoned);
                LOG.info("ended transactions of instances that are gone transactional.ids={}", abandoned);
            }
        }
    }

    private Set<String> oldTransactions() {
        ListTransactionsOptions old = new ListTransactionsOptions()
                .filterStates(List.of(TransactionState.ONGOING))
                .filterOnDuration(OLD_MILLIS);
        return admin.answer(admin.client().listTransactions(old).all()).stream()
                .map(TransactionListing::transactionalId)
                .collect(Collectors.toSet());
    }

    /**
     * Those transactions that no member of the group can own; none if there are no members.
     *
     * @param transactionalIds of any applications
     * @param clientIds of the members
     */
    static Set<String> abandoned(
            String applicationId, Collection<String> transactionalIds, Collection<String> clientIds) {
        Pattern member = Pattern.compile("(" + process(applicationId) + ")" + OF_CONSUMER);
        Set<Optional<String>> alive =
                clientIds.stream().map(id -> process(member, id)).collect(Collectors.toSet());
        if (alive.isEmpty() || alive.contains(Optional.<String>empty())) {
            return Set.of();
        }
        Pattern transaction = Pattern.compile("(" + process(applicationId) + ")" + OF_TRANSACTION);
        return transactionalIds.stream()
                .filter(id -> {
                    Optional<String> process = process(transaction, id);
                    return process.isPresent() && !alive.contains(process);
                })
                .collect(Collectors.toSet());
    }

    private static Optional<String> process(Pattern form, String id) {
        Matcher matcher = form.matcher(id);
        return matcher.matches() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    private static String process(String applicationId) {
        return Pattern.quote(applicationId + "-") + UUID;
    }

    /** Whether a client.id cannot be distinguished from one that Kafka Streams makes where none is set. */
    static boolean looksMade(String applicationId, String clientId) {
        return Pattern.matches(process(applicationId), clientId);
    }
}
