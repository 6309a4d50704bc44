package io.neardup.service.lifecycle;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.GroupAdmin;
import io.neardup.service.cluster.SettingsReader;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.service.cluster.TopicAdmin;
import io.neardup.service.migration.CutoverWatch;
import io.neardup.service.migration.CutoverWatch.MigrationSourceStatus;
import io.neardup.service.migration.SeedWatch;
import io.neardup.service.migration.SeedWatch.SeedingStatus;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.topology.CutoverOrders;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at what is noted in the settings topic, and does what follows: for seeds, for a cutover, and for others. */
final class SettingsWatch {
    static final long EVERY_MILLIS = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(SettingsWatch.class);
    private static final int LEFT_MAX = 1_000;

    private final SettingsTopic noting;
    private final Set<String> inputs;
    private final SettingsReader reader;
    private final SeedWatch seeds;
    private final CutoverWatch cutover;
    private final Optional<String> ofStart;
    private final Set<String> outputsHeld;
    private final Set<String> makersBesideOthers = new HashSet<>();
    private volatile Optional<SettingsTopic.Inputs> startedLast = Optional.empty();
    /** Instances that have said that they leave, and of which nobody has asked yet. */
    private final BlockingQueue<String> left = new ArrayBlockingQueue<>(LEFT_MAX);

    /** @param agreed whose seeding learns how far the seeds are read */
    SettingsWatch(NeardupConfig config, TopicAdmin admin, GroupAdmin group, IndexAgreement agreed, int coordinators) {
        Map<String, Object> clients = StreamsSettings.clients(config);
        this.noting = new SettingsTopic(config, clients);
        this.inputs = new TreeSet<>(config.inputTopics());
        this.reader = new SettingsReader(admin, new TopicNames(config.applicationId()), clients);
        this.seeds = new SeedWatch(config, admin, group, agreed.seeding(), reader);
        this.outputsHeld = agreed.outputsHeld();
        this.ofStart = IndexAgreement.besideOthers(config.applicationId(), outputsHeld);
        this.cutover = new CutoverWatch(config.applicationId(), group, reader, clients, coordinators);
        reader.listen(record -> SettingsTopic.inputs(record).ifPresent(last -> startedLast = Optional.of(last)));
        reader.listen(
                record -> SettingsTopic.outputsHeld(record).ifPresent(held -> makersBesideOthers.add(held.instance())));
        reader.listen(this::noteLeft);
    }

    /** What of these cannot be read is skipped: it is of no more use than a hint. */
    private void noteLeft(ConsumerRecord<byte[], byte[]> record) {
        try {
            if (!SettingsTopic.left(record).map(left::offer).orElse(true)) {
                LOG.debug("skipped an instance that left, as {} did at once; offset={}", LEFT_MAX, record.offset());
            }
        } catch (StartupException e) {
            LOG.debug("skipped an instance that left; cause={}", e.getMessage());
        }
    }

    /**
     * Looks once.
     *
     * @param onHandedOver runs where another index has taken over
     * @param onLost takes why this one can never take over
     */
    void look(Runnable onHandedOver, Consumer<StartupException> onLost) {
        catchUp();
        seeds.goOn();
        seeds.lost().ifPresent(onLost);
        cutover.notifyCoordinators();
        if (cutover.isHandedOver()) {
            onHandedOver.run();
        }
    }

    /** Reads what was noted since. */
    private void catchUp() {
        reader.catchUp();
        seeds.take();
        if (seeds.status().isDone()) {
            // Until then the input is closed anyway, and what is left of seeds no successor would know of.
            cutover.take();
        }
    }

    /**
     * As for the first time, before the service starts.
     *
     * @throws StartupException if the index has handed its input over
     */
    void begin() {
        catchUp();
        left.clear(); // Long ago.
        cutover.requireInput();
    }

    /** Names of instances that left since the last call, as they were stopped. */
    List<String> left() {
        List<String> names = new ArrayList<>();
        left.drainTo(names);
        return names;
    }

    /** Lets the others know that this one leaves, as it was stopped. */
    void leave(String instance) {
        noting.noteLeft(instance);
    }

    /** How far it is with the seeds, by the last look. */
    SeedingStatus seeding() {
        return seeds.status();
    }

    /** What an operator is to do, so that all is read, and once; a sentence each. */
    List<String> notes() {
        return Stream.of(ofStart, seeds.note()).flatMap(Optional::stream).toList();
    }

    /** What the instance that was started last reads, by the last look; it may run no more. */
    Optional<SettingsTopic.Inputs> startedLast() {
        return startedLast;
    }

    /**
     * Notes for the others what this one reads, as it starts, and for commands whether it made the index beside
     * another.
     */
    void start(String instance) {
        noting.noteInputs(instance, inputs);
        // With client.id set it has the name that it had when it made the index.
        if (!outputsHeld.isEmpty() || makersBesideOthers.contains(instance)) {
            noting.noteOutputsHeld(instance, outputsHeld);
        }
    }

    /** How far it is with handing over, by the last look. */
    MigrationSourceStatus handingOver() {
        return cutover.status();
    }

    /** What the coordinators are to heed. */
    CutoverOrders orders() {
        return cutover.orders();
    }
}
