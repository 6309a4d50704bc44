package io.neardup.service.migration;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.SettingsReader;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.Cutover.CutoverStage;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.KnownCutover;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notifies the coordinators of this instance of a cutover, by what the settings topic says. To each coordinator, one
 * without work too, it sends an empty message, at which that looks at what is known. Every instance does so: it may
 * come more than once.
 */
public final class CutoverWatch {
    private static final Logger LOG = LoggerFactory.getLogger(CutoverWatch.class);

    /** What coordinators are sent may be lost, as where one moves. */
    private static final long FLUSH_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String applicationId;
    private final ClusterAdmin admin;
    private final Map<String, Object> clients;
    private final int coordinators;
    private final SettingsReader settingsReader;
    private volatile KnownCutover known = KnownCutover.NONE;
    private boolean hasNotified;
    private boolean wasFolding;
    private long flushNanos = System.nanoTime() - FLUSH_AGAIN_NANOS;

    /** @param settingsReader of the index; the caller lets it catch up */
    public CutoverWatch(NeardupConfig config, ClusterAdmin admin, SettingsReader settingsReader, int coordinators) {
        this.applicationId = config.applicationId();
        this.admin = admin;
        this.clients = StreamsSettings.clients(config);
        this.coordinators = coordinators;
        this.settingsReader = settingsReader;
    }

    /** What coordinators know of it. */
    public KnownCutover known() {
        return known;
    }

    /** Whether all has left, and another index takes over. */
    public boolean isHandedOver() {
        return known.state().stage() == CutoverStage.EMPTY;
    }

    /**
     * Takes what was noted by now.
     *
     * @throws StartupException where the cluster does not answer
     */
    public void take() {
        Cutover now = settingsReader.cutover();
        KnownCutover before = known;
        if (now.equals(before.state())) {
            return;
        }
        // Read once, with the request: what the group commits later may lie beyond where the coordinator of an
        // untouched input stops.
        boolean isNew = before.state().request().isEmpty();
        known = new KnownCutover(now, isNew ? admin.committed(applicationId) : before.committed());
        report(before.state(), now);
    }

    private static void report(Cutover before, Cutover now) {
        String successor = now.successor().orElse("");
        if (now.stage() == CutoverStage.EMPTY) {
            LOG.info("handed over: all that was taken has left, and successor={} goes on; stopping", successor);
        } else if (now.stage() != before.stage()) {
            LOG.info("handing over to successor={} coordinators.left={}", successor, now.coordinatorsLeft());
        }
    }

    /**
     * Wakes each coordinator up, once; every 10 s also asks those not yet flushed to flush, and story partitions not
     * yet folded to fold.
     */
    public void notifyCoordinators() {
        Cutover now = known.state();
        if (now.stage() != CutoverStage.ASKED) {
            return;
        }
        TopicNames names = new TopicNames(applicationId);
        List<ProducerRecord<byte[], byte[]>> messages = new ArrayList<>();
        if (!hasNotified) {
            IntStream.range(0, coordinators)
                    .forEach(coordinator -> messages.add(KnownCutover.wakeUp(names.replies(), coordinator)));
        }
        long nowNanos = System.nanoTime();
        // Folding begins when all coordinators are empty, and flushed if they send each other tombstones: the first
        // request must not wait for the rest of the 10 s.
        Set<Integer> toFlush = now.toFlush();
        boolean isFolding = !now.toFold().isEmpty();
        boolean isTime = nowNanos - flushNanos >= FLUSH_AGAIN_NANOS || isFolding != wasFolding;
        if (isTime && (isFolding || !toFlush.isEmpty())) {
            toFlush.forEach(coordinator -> messages.add(KnownCutover.flush(names.replies(), coordinator)));
            now.toFold().forEach(partition -> messages.add(KnownCutover.fold(names.storyEvents(), partition)));
            flushNanos = nowNanos;
            wasFolding = isFolding;
        }
        if (!messages.isEmpty()) {
            SettingsTopic.send(clients, messages);
        }
        hasNotified = true;
    }

    /**
     * Refuses a start without stories where those of the coordinators are still to be folded for the successor.
     *
     * @throws StartupException that says so
     */
    public void requireStories(boolean writesStories) {
        if (!writesStories && known.state().leavesStories()) {
            throw new StartupException("neardup.outputs: expected stories, as application.id " + applicationId
                    + " hands its input over and they are still to be folded for application.id "
                    + known.state().successor().orElse("") + ", found none; restore the setting and start again: it"
                    + " ends by itself");
        }
    }

    /**
     * Refuses a start where another index has taken over.
     *
     * @throws StartupException that names it
     */
    public void requireInput() {
        if (isHandedOver()) {
            Cutover done = known.state();
            throw new StartupException("application.id " + applicationId
                    + ": expected an index with an input, found that it handed it over to application.id "
                    + done.successor().orElse("") + " on " + Instant.ofEpochMilli(done.sinceMillis())
                    + ", for good: run that one; when it is ready, take"
                    + " neardup.successor.of out of its settings, and delete this with index reset");
        }
    }
}
