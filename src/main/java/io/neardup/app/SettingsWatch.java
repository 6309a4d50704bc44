package io.neardup.app;

import io.neardup.config.NeardupConfig;
import io.neardup.streams.CutoverOrders;
import io.neardup.streams.TopicNames;
import io.neardup.streams.input.Seeding;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Looks at what is noted in the settings topic, and does what follows: for seeds, and for a cutover. */
final class SettingsWatch {
    static final long EVERY_MILLIS = 1_000;
    private static final Logger LOG = LoggerFactory.getLogger(SettingsWatch.class);

    private final SettingsReader reader;
    private final SeedWatch seeds;
    private final CutoverWatch cutover;
    /** Of the last look; empty where it was well. */
    private String failure = "";

    /** @param seeding to be told how far the seeds are read */
    SettingsWatch(NeardupConfig config, TopicAdmin admin, GroupAdmin group, Seeding seeding, int homes) {
        Map<String, Object> clients = StreamsSettings.clients(config);
        this.reader = new SettingsReader(admin, new TopicNames(config.applicationId()), clients);
        this.seeds = new SeedWatch(config, admin, group, seeding, reader);
        this.cutover = new CutoverWatch(config.applicationId(), group, reader, clients, homes);
    }

    /**
     * Looks once.
     *
     * @param onHandedOver runs where another index has taken over
     * @param onLost takes why this one can never take over
     */
    void run(Runnable onHandedOver, Consumer<StartupException> onLost) {
        try {
            catchUp();
            seeds.goOn();
            seeds.lost().ifPresent(onLost);
            cutover.tellHomes();
            if (cutover.isHandedOver()) {
                onHandedOver.run();
            }
            failure = "";
        } catch (StartupException | KafkaException e) {
            report(e);
        }
    }

    /** The same failure once, as it may last. */
    private void report(RuntimeException e) {
        boolean isKnown = e.toString().equals(failure);
        failure = e.toString();
        LOG.atLevel(isKnown || NoAnswer.is(e) ? Level.DEBUG : Level.WARN)
                .log("could not look at what is noted of seeds and of a cutover, trying again; cause={}", failure);
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
        cutover.requireInput();
    }

    /** How far it is with the seeds, by the last look. */
    SeedingStatus seeding() {
        return seeds.status();
    }

    /** What an operator is to do, so that it goes on with what it is begun with; empty where nothing is. */
    Optional<String> note() {
        return seeds.note();
    }

    /** How far it is with handing over, by the last look. */
    HandingOverStatus handingOver() {
        return cutover.status();
    }

    /** What the homes are to heed. */
    CutoverOrders orders() {
        return cutover.orders();
    }
}
