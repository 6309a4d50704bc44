package io.neardup.service.lifecycle;

import io.neardup.config.ConfigurationException;
import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.AbandonedTransactions;
import io.neardup.service.cluster.AccessCheck;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.ClusterAdmin.Copies;
import io.neardup.service.cluster.FailureCause;
import io.neardup.service.cluster.LocalState;
import io.neardup.service.cluster.SettingsTopic;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.service.cluster.TopicWatch;
import io.neardup.service.cluster.Topics;
import io.neardup.service.migration.SeedingAgreement;
import io.neardup.streams.input.Predecessor;
import io.neardup.streams.store.TopicNames;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.streams.StreamsConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What must hold around the service before it runs, in the order in which it is looked at. The start makes what is
 * missing, and ends at the first that does not hold. {@link #report} makes and changes nothing, and goes on.
 */
public final class StartChecks {
    private static final Logger LOG = LoggerFactory.getLogger(StartChecks.class);

    private final NeardupConfig config;
    private final ClusterAdmin admin;
    private final AccessCheck access;
    private final Topics topics;
    private Topics.@Nullable Setup setup;
    private @Nullable OpenedIndex index;

    /** How a check came out. */
    public enum Result {
        OK,
        /** The service runs with it, and something can be better. */
        ADVICE,
        /** The service does not start so, or does not work. */
        WRONG,
        /** It could not be looked at. */
        SKIPPED
    }

    /**
     * What a check has found.
     *
     * @param found with the fix, where it is not well
     */
    public record Finding(String check, Result result, String found) {}

    private StartChecks(NeardupConfig config, ClusterAdmin admin) {
        this.config = config;
        this.admin = admin;
        this.access = new AccessCheck(admin, config);
        this.topics = new Topics(admin, config);
    }

    /**
     * Checks all, for a start, and creates what is the service's own.
     *
     * @throws StartupException if something is not as it must be
     */
    static StartChecks passed(NeardupConfig config, ClusterAdmin admin) {
        StartChecks checks = new StartChecks(config, admin);
        checks.all((name, step) -> step.run());
        AbandonedTransactions.lateWritesWarning(admin).ifPresent(LOG::info);
        return checks;
    }

    /** @throws ConfigurationException if Kafka would not take its keys, or the promises rest on other values */
    static void requireSettings(NeardupConfig config) {
        List<String> problems = StreamsSettings.problems(config);
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
    }

    /** @param steps takes each, by its name: to do it, or to tell of it */
    private void all(BiConsumer<String, Runnable> steps) {
        steps.accept("rights", access::check);
        steps.accept("topics", () -> setup = topics.prepare());
        // Each time some topics are there that were not before.
        steps.accept("rights", access::check);
        steps.accept("transactions", access::checkTransactions);
        steps.accept("index", this::openIndex);
        steps.accept("rights", access::check);
        steps.accept("replication", this::warnOfCopies);
    }

    private void openIndex() {
        index = OpenedIndex.of(config, admin, topics, setup());
        index.begin();
    }

    /** Of those that it writes to. */
    private List<Copies> copies() {
        List<String> written = new ArrayList<>(config.outputTopics());
        written.addAll(new TopicNames(config.applicationId()).all(config));
        return admin.copies(written);
    }

    /** A broker may be away for a moment only: the service starts, and Kafka Streams says nothing of it later. */
    private void warnOfCopies() {
        List<Copies> copies = copies();
        lacksInSync(copies).forEach(lack -> admin.warn(LOG, "{}", lack));
        warnOfOneInSync(copies);
    }

    /** Of each topic that takes no write now, with the fix. */
    private static List<String> lacksInSync(List<Copies> copies) {
        return copies.stream()
                .filter(topic -> topic.inSync() < topic.inSyncMin())
                .map(topic -> "topic " + topic.topic() + ": expected " + topic.inSyncMin()
                        + " replicas in sync (min.insync.replicas), found " + topic.inSync() + " of "
                        + topic.replicas() + "; start the brokers that are away, or set"
                        + " min.insync.replicas to fewer")
                .toList();
    }

    /** Those that others made. */
    private void warnOfOneInSync(List<Copies> copies) {
        List<String> found = copies.stream()
                .filter(Copies::acksByOneReplica)
                .map(Copies::topic)
                .toList();
        if (!found.isEmpty()) {
            admin.warn(
                    LOG,
                    "topics={} have three replicas or more, and min.insync.replicas is 1: what a broker alone has taken"
                            + " is lost with it; set it to 2 (kafka-configs.sh --alter --topic ... --add-config"
                            + " min.insync.replicas=2)",
                    found);
        }
    }

    Topics.Setup setup() {
        return Objects.requireNonNull(setup, "topics");
    }

    /** To be called when local state is deleted that is not to be used. */
    void restoreChangelogSettings() {
        topics.restoreSettings(setup().settingsToRestore());
    }

    OpenedIndex index() {
        return Objects.requireNonNull(index, "index");
    }

    /** Of all topics that the service works with. */
    TopicWatch watch() {
        return topics.watch(setup(), index().stored().topics());
    }

    // ---- report without changing anything

    /**
     * Looks at all that a start looks at, without making or changing anything. It takes half a minute where no broker
     * answers, and no more than a few minutes whatever the cluster does.
     *
     * @param partitions of the input and output topics that do not exist, where they are to be made
     * @param listening opens what the service listens on, and closes it
     */
    public static List<Finding> report(NeardupConfig config, Optional<Integer> partitions, Runnable listening) {
        Report report = new Report();
        report.step("settings", () -> {
            requireSettings(config);
            config.warnings().forEach(warning -> report.add("settings", Result.ADVICE, warning));
        });
        report.step("http", listening);
        report.step("clients", () -> {
            try (ClusterAdmin admin = ClusterAdmin.open(config).readOnly()) {
                report.checkCluster(config, admin, partitions);
            }
        });
        report.isAnswered = true;
        report.step("state.dir", () -> report.checkStateFolder(config));
        return report.findings;
    }

    private static final class Report {
        private final List<Finding> findings = new ArrayList<>();
        private final Set<String> looked = new HashSet<>();
        private Optional<String> indexId = Optional.empty();
        private boolean isAnswered = true;

        private void add(String check, Result result, String found) {
            findings.add(new Finding(check, result, found));
        }

        /** Does it once; what it throws is told. */
        private void step(String name, Runnable step) {
            if (!looked.add(name)) {
                return;
            }
            int before = findings.size();
            if (!isAnswered) {
                add(name, Result.SKIPPED, "not looked at, as the cluster does not answer");
                return;
            }
            try {
                step.run();
                if (findings.size() == before) {
                    add(name, Result.OK, "as expected");
                }
            } catch (InterruptException e) {
                throw e;
            } catch (ConfigurationException e) {
                e.problems().forEach(problem -> add(name, Result.WRONG, problem));
            } catch (RuntimeException e) {
                isAnswered = name.equals("transactions") || !FailureCause.isNoAnswer(e);
                String said = e instanceof StartupException ? String.valueOf(e.getMessage()) : e.toString();
                said.lines().forEach(line -> add(name, Result.WRONG, line));
            }
        }

        private void checkCluster(NeardupConfig config, ClusterAdmin admin, Optional<Integer> partitions) {
            step("cluster", () -> {
                add("cluster", Result.OK, "brokers that answer: " + admin.brokers());
                AbandonedTransactions.lateWritesWarning(admin).ifPresent(lack -> add("cluster", Result.ADVICE, lack));
            });
            StartChecks checks = new StartChecks(config, admin);
            List<String> missing = new ArrayList<>();
            partitions.ifPresent(count -> step("new topics", () -> {
                missing.addAll(checks.topics.missing());
                checks.access.checkCreating(missing);
            }));
            checks.all((name, step) -> {
                if (!missing.isEmpty() && name.equals("topics")) {
                    add(name, Result.SKIPPED, "not looked at, as the start makes some first: " + missing);
                } else if (isAnswered
                        && checks.setup == null
                        && Set.of("index", "replication").contains(name)) {
                    add(name, Result.SKIPPED, "not looked at, as the topics are not as they must be");
                } else {
                    step(name, () -> {
                        // The step index fails where there is none, as nothing is written here; that of replication
                        // says too little.
                        switch (name) {
                            case "index" -> checkIndex(checks, step);
                            case "replication" -> checkCopies(checks);
                            default -> step.run();
                        }
                    });
                }
                admin.warnings().forEach(warning -> add(name, Result.ADVICE, warning));
            });
        }

        private void checkCopies(StartChecks checks) {
            List<Copies> copies = checks.copies();
            lacksInSync(copies).forEach(lack -> add("replication", Result.WRONG, lack));
            long few = copies.stream()
                    .filter(topic -> topic.replicas() < ClusterAdmin.REPLICAS_ENOUGH)
                    .count();
            if (few > 0) {
                add(
                        "replication",
                        Result.ADVICE,
                        few + " topics have fewer than " + ClusterAdmin.REPLICAS_ENOUGH + " replicas: with as many and"
                                + " min.insync.replicas 2 the loss of one broker loses no record, and stops nothing");
            }
            checks.warnOfOneInSync(copies);
        }

        private void checkIndex(StartChecks checks, Runnable step) {
            String id = "application.id " + checks.config.applicationId();
            SettingsTopic settings = new SettingsTopic(checks.config, checks.admin);
            if (checks.setup().stateExists() || settings.findIfThere().isPresent()) {
                step.run();
                indexId = Optional.of(checks.index().stored().id());
                checks.index().outputsWarning().ifPresent(warning -> add("index", Result.ADVICE, warning));
                add("index", Result.OK, "that of " + id + " fits these settings");
            } else {
                Optional<Predecessor> unused =
                        new SeedingAgreement(checks.config, checks.admin, settings, checks.setup()).examineGiven();
                OpenedIndex.outputsWarning(checks.config, checks.admin, checks.setup())
                        .ifPresent(warning -> add("index", Result.ADVICE, warning));
                add("index", Result.OK, id + " has none: the start makes one");
            }
        }

        private void checkStateFolder(NeardupConfig config) {
            Map<String, Object> settings = StreamsSettings.of(config, indexId.orElse("."));
            Path folder = Path.of(String.valueOf(settings.get(StreamsConfig.STATE_DIR_CONFIG)))
                    .normalize();
            new LocalState(folder.resolve(config.applicationId()), StreamsSettings.kept(settings)).requireFree();
            StreamsSettings.advice(config).ifPresent(advice -> add("state.dir", Result.ADVICE, advice));
        }
    }
}
