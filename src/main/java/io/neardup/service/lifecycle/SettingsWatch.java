package io.neardup.service.lifecycle;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.SettingsReader;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.cluster.SettingsTopic.OutputsHeld;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.migration.CutoverWatch;
import io.neardup.service.migration.SeedWatch;
import io.neardup.service.migration.SeedWatch.SeedingStatus;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.topology.CutoverOrders;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Looks at what is noted in the settings topic, and does what follows: for seeds, for a cutover, and for others. */
final class SettingsWatch {
    private final SettingsTopic noting;
    private final SettingsReader noted;
    private final Set<String> inputs;
    private final SeedWatch seeds;
    private final CutoverWatch cutover;
    private final Set<String> outputsHeld;
    private final Optional<String> ofStart;

    /** @param agreed whose seeding learns how far the seeds are read */
    SettingsWatch(NeardupConfig config, ClusterAdmin admin, OpenedIndex agreed, int coordinators) {
        this.noting = new SettingsTopic(config);
        this.noted = new SettingsReader(config, admin, config.applicationId());
        this.inputs = new TreeSet<>(config.inputTopics());
        this.seeds = new SeedWatch(config, admin, agreed.seeding(), noted);
        this.cutover = new CutoverWatch(config, admin, noted, coordinators);
        this.outputsHeld = agreed.outputsHeld();
        this.ofStart = OutputsHeld.note(config.applicationId(), outputsHeld);
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
        noted.catchUp();
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
        noted.takeLeft(); // Long ago.
        cutover.requireInput();
    }

    /** Names of instances that left since the last call, as they were stopped. */
    List<String> left() {
        return noted.takeLeft();
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
        return noted.startedLast();
    }

    /**
     * Notes for the others what this one reads, as it starts, and for commands whether it made the index beside
     * another.
     */
    void start(String instance) {
        noting.noteInputs(instance, inputs);
        // With client.id set it has the name that it had when it made the index.
        if (!outputsHeld.isEmpty() || !noted.outputsHeld(Set.of(instance)).isEmpty()) {
            noting.noteOutputsHeld(instance, outputsHeld);
        }
    }

    /** How far it is with handing over, by the last look. */
    Cutover handingOver() {
        return cutover.orders().cutover();
    }

    /** What the coordinators are to do. */
    CutoverOrders orders() {
        return cutover.orders();
    }
}
