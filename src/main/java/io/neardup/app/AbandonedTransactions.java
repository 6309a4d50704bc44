package io.neardup.app;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the transactions that a dead instance left open, once the group has noticed its death. Whoever takes over cannot read on
 * before they end, and the broker ends them only when they have timed out, which it looks for every 10 seconds.
 *
 * <p>An instance that is alive after all, such as one that stood still for longer than its session, finds itself fenced. It
 * has lost its tasks by then, and joins the group again as it would have.
 *
 * <p>Transactional ids are {@code application-process-thread}, client ids {@code application-process-StreamThread-...} unless
 * client.id is set. Where a member has another form, nothing can be told of it, and transactions are left to time out.
 */
final class AbandonedTransactions implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(AbandonedTransactions.class);
    private static final String PROCESS = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
    private static final String THREAD = "-StreamThread-";
    private static final long ANSWER_SECONDS = 5;

    /** Others last about as long as the commit interval. */
    private static final long OLD_MILLIS = 1_000;

    private final Admin admin;
    private final String group;
    private final Pattern instance;

    AbandonedTransactions(Admin admin, String applicationId) {
        this.admin = admin;
        this.group = applicationId;
        this.instance = Pattern.compile(Pattern.quote(applicationId + "-") + PROCESS);
    }

    @Override
    public void run() {
        try {
            Set<String> old = oldTransactions();
            if (!old.isEmpty()) {
                end(abandoned(old, members()));
            }
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            LOG.debug("could not look for abandoned transactions, trying again", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Set<String> oldTransactions() throws ExecutionException, InterruptedException, TimeoutException {
        ListTransactionsOptions old = new ListTransactionsOptions()
                .filterStates(List.of(TransactionState.ONGOING))
                .filterOnDuration(OLD_MILLIS);
        return admin.listTransactions(old).all().get(ANSWER_SECONDS, TimeUnit.SECONDS).stream()
                .map(TransactionListing::transactionalId)
                .collect(Collectors.toSet());
    }

    private List<String> members() throws ExecutionException, InterruptedException, TimeoutException {
        return admin
                .describeConsumerGroups(List.of(group))
                .all()
                .get(ANSWER_SECONDS, TimeUnit.SECONDS)
                .values()
                .stream()
                .flatMap(described -> described.members().stream())
                .map(MemberDescription::clientId)
                .toList();
    }

    /**
     * Those transactions that no member of the group can own; none if there are no members.
     *
     * @param transactionalIds of any applications
     * @param clientIds of the members
     */
    Set<String> abandoned(Collection<String> transactionalIds, Collection<String> clientIds) {
        Set<String> alive = clientIds.stream().map(id -> before(id, THREAD)).collect(Collectors.toSet());
        if (alive.isEmpty() || !alive.stream().allMatch(this::isInstance)) {
            return Set.of();
        }
        return transactionalIds.stream()
                .filter(id -> isInstance(before(id, "-")) && !alive.contains(before(id, "-")))
                .collect(Collectors.toSet());
    }

    private boolean isInstance(String id) {
        return instance.matcher(id).matches();
    }

    private static String before(String id, String last) {
        return id.substring(0, Math.max(0, id.lastIndexOf(last)));
    }

    private void end(Set<String> transactionalIds) throws ExecutionException, InterruptedException, TimeoutException {
        if (!transactionalIds.isEmpty()) {
            LOG.info("ending transactions of instances that are gone transactional.ids={}", transactionalIds);
            admin.fenceProducers(transactionalIds).all().get(ANSWER_SECONDS, TimeUnit.SECONDS);
        }
    }
}
