package io.neardup.app;

import io.neardup.config.IndexSettings;
import io.neardup.config.NeardupConfig;
import io.neardup.metrics.ServiceCounts;
import io.neardup.signing.Signing;
import io.neardup.streams.CutoverOrders;
import io.neardup.streams.DedupTopology;
import io.neardup.streams.OutputLimits;
import io.neardup.streams.TopicNames;
import io.neardup.streams.input.InputGate;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.input.Seeding;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The index that fits given settings and topics, and how far it is with what it is begun with. */
record IndexAgreement(SettingsTopic.Index index, Seeding seeding, SuccessionAgreement succession) {
    private static final Logger LOG = LoggerFactory.getLogger(IndexAgreement.class);

    /**
     * Finds the index, or makes a new one.
     *
     * @param topics of the same settings
     * @param setup as the topics are now
     * @throws StartupException if settings or topics do not fit it
     */
    static IndexAgreement of(NeardupConfig config, TopicAdmin admin, Topics topics, Topics.Setup setup) {
        Map<String, Object> clients = StreamsSettings.clients(config);
        TransactionCheck.check(clients, config.applicationId());
        IndexSettings indexSettings = IndexSettings.of(config, setup.inputPartitions(), DedupTopology.layouts());
        SettingsTopic settingsTopic = new SettingsTopic(config, clients);
        SuccessionAgreement succession = new SuccessionAgreement(config, admin, clients, settingsTopic);
        // Before the new index is bound to anything: what is refused must not stay.
        Optional<SuccessionAgreement.Agreed> before = succession.agree(setup);
        SettingsTopic.Index index =
                settingsTopic.agree(indexSettings, setup.stateExists(), HashSeed.of(config, admin, clients));
        Optional<Predecessor> predecessor =
                before.map(found -> found.isBound() ? found.predecessor() : settingsTopic.bind(found.predecessor()));
        Seeding seeding = predecessor
                .map(found -> Seeding.after(found, setup.inputPartitions(), config.inputTopics()))
                .orElseGet(() -> SeedAgreement.agree(config, admin, settingsTopic, setup));
        KnownTopics known = topics.recognise(index.topics(), setup.inputPartitions());
        new RemovedInputCheck(admin, config, clients).check(known, setup.inputPartitions());
        if (!known.equals(index.topics())) {
            settingsTopic.remember(known);
        }
        LOG.info("starting application.id={} index={}", config.applicationId(), index.madeWith());
        return new IndexAgreement(index.with(known), seeding, succession);
    }

    /** The flow of it. */
    DedupTopology flow(
            NeardupConfig config,
            Signing signing,
            OutputLimits.ByOutput limits,
            InputGate gate,
            Supplier<CutoverOrders> cutover,
            ServiceCounts counts) {
        InputGenerations generations =
                index.topics().generations(config.inputTopics(), new TopicNames(config.applicationId()).changelogs());
        return new DedupTopology(
                config,
                signing,
                limits,
                gate,
                generations,
                seeding,
                cutover,
                counts,
                index.layouts(),
                index::changelogName);
    }

    /**
     * Checks that what the index is begun with is there as long as it is needed, by what homes have told by now.
     *
     * @throws StartupException if it is not
     */
    void requireRest(NeardupConfig config, Topics.Setup setup) {
        seeding.predecessor()
                .ifPresentOrElse(
                        predecessor -> succession.requireRest(seeding, predecessor, setup),
                        () -> SeedAgreement.requireRest(config, seeding, setup));
    }
}
