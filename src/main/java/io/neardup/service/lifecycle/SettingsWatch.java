package io.neardup.service.lifecycle;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.SettingsReader;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.cluster.SettingsTopic.OutputsHeld;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.migration.CutoverWatch;
import io.neardup.service.migration.SeedWatch;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Looks at what is noted in the settings topic, and does what follows: for seeds, for a cutover, and for others.
 *
 * @param noting what others are to know
 * @param noted what was noted by the last look
 * @param inputs that this instance reads
 * @param outputsHeld where it has made the index, those outputs that held records
 */
record SettingsWatch(
        SettingsTopic noting,
        SettingsReader noted,
        Set<String> inputs,
        SeedWatch seeds,
        CutoverWatch cutover,
        Set<String> outputsHeld,
        Optional<String> ofStart) {

    /** @param agreed whose seeding learns how far the seeds are read */
    static SettingsWatch of(NeardupConfig config, ClusterAdmin admin, OpenedIndex agreed, int coordinators) {
        SettingsReader noted = new SettingsReader(config, admin, config.applicationId());
        return new SettingsWatch(
                new SettingsTopic(config),
                noted,
                new TreeSet<>(config.inputTopics()),
                new SeedWatch(config, admin, agreed.seeding(), noted),
                new CutoverWatch(config, admin, noted, coordinators),
                agreed.outputsHeld(),
                OutputsHeld.note(config.applicationId(), agreed.outputsHeld()));
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

    /** What an operator is to do, so that all is read, and once; a sentence each. */
    List<String> notes() {
        return Stream.of(ofStart, seeds.note()).flatMap(Optional::stream).toList();
    }

    /**
     * Notes for the others what this one reads, as it starts, and for commands whether it made the index beside
     * another.
     */
    void start(String instance) {
        noting.note(SettingsTopic.INPUTS, new SettingsTopic.Inputs(instance, inputs));
        // With client.id set it has the name that it had when it made the index.
        if (!outputsHeld.isEmpty() || !noted.outputsHeld(Set.of(instance)).isEmpty()) {
            noting.noteOutputsHeld(instance, outputsHeld);
        }
    }
}
