package io.neardup.service.lifecycle;

import io.neardup.config.ConfigurationException;
import io.neardup.config.NeardupConfig;
import io.neardup.engine.lsh.BandTable;
import io.neardup.service.cluster.AbandonedTransactions;
import io.neardup.service.cluster.AccessCheck;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.FailureCause;
import io.neardup.service.cluster.LocalState;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.StreamsSettings;
import io.neardup.service.cluster.TopicState;
import io.neardup.service.cluster.TopicWatch;
import io.neardup.service.cluster.Topics;
import io.neardup.streams.store.OriginalStore;
import io.neardup.streams.store.TopicNames;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
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
    private static final int REPLICAS_ENOUGH = 3;

    /** What is said of a check that finds nothing wrong and has no more to tell. */
    private static final Map<String, String> WELL = Map.of(
            "settings", "all fit, and Kafka takes its own",
            "new topics", "this user may make them",
            "topics", "there, or may be made, and fit the input and each other",
            "transactions", "the cluster takes them, and this user may begin them");

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
        AbandonedTransactions.ofLateWrites(admin).ifPresent(LOG::info);
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
        steps.accept("replication", this::warnOfOneInSync);
    }

    private void openIndex() {
        OpenedIndex opened = OpenedIndex.of(config, admin, topics, setup());
        // Where a start would make it, there is nothing to go on from.
        if (!opened.isMadeOnTrial()) {
            opened.begin();
        }
        index = opened;
    }

    /** Those that others made. */
    private void warnOfOneInSync() {
        List<String> written = new ArrayList<>(config.outputTopics());
        written.addAll(new TopicNames(config.applicationId()).all(config));
        List<String> found = admin.withOneInSync(written);
        if (!found.isEmpty()) {
            admin.warn(
                    LOG,
                    "topics={} have three replicas or more, and min.insync.replicas is 1: what a broker alone has taken"
                            + " is lost with it; set it to 2 (kafka-configs.sh --alter --topic ... --add-config"
                            + " min.insync.replicas=2)",
                    found);
        }
    }

    AccessCheck access() {
        return access;
    }

    Topics.Setup setup() {
        return Objects.requireNonNull(setup, "topics");
    }

    OpenedIndex index() {
        return Objects.requireNonNull(index, "index");
    }

    /** Of all topics that the service works with. */
    TopicWatch watch() {
        return topics.watch(setup(), index().stored().topics());
    }

    // ---- told, not done

    /**
     * Looks at all that a start looks at, and at what the machine has, without making or changing anything: topics that
     * would be made count as made, and nothing is started. It takes half a minute where no broker answers, and no
     * more than a few minutes whatever the cluster does.
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
        report.step("http", () -> {
            listening.run();
            report.add(
                    "http",
                    Result.OK,
                    config.httpListen().map(at -> at + " is free").orElse("off"));
        });
        report.step("clients", () -> {
            try (ClusterAdmin admin = ClusterAdmin.open(config).onTrial()) {
                report.ofCluster(config, admin, partitions);
            }
        });
        report.ofMachine(config);
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
                    add(name, Result.OK, WELL.getOrDefault(name, "well"));
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

        private void ofCluster(NeardupConfig config, ClusterAdmin admin, Optional<Integer> partitions) {
            step("cluster", () -> ofBrokers(admin));
            StartChecks checks = new StartChecks(config, admin);
            partitions.ifPresent(count -> step("new topics", () -> {
                checks.access.checkCreating();
                checks.topics.createGiven(count);
            }));
            checks.all((name, step) -> {
                if (isAnswered && name.equals("index") && checks.setup == null) {
                    add(name, Result.SKIPPED, "not looked at, as the topics are not as they must be");
                    return;
                }
                step(name, () -> {
                    switch (name) {
                        case "rights" -> ofRights(checks);
                        case "index" -> ofIndex(checks, step);
                        case "replication" -> ofTopics(checks, step);
                        default -> step.run();
                    }
                });
                admin.warnings().forEach(warning -> add(name, Result.ADVICE, warning));
            });
        }

        private void ofBrokers(ClusterAdmin admin) {
            ClusterAdmin.Brokers brokers = admin.brokers();
            String count = brokers.count() == 1 ? "1 broker answers" : brokers.count() + " brokers answer";
            add(
                    "cluster",
                    Result.OK,
                    brokers.release()
                            .map(release -> count + ", Kafka " + release)
                            .orElse(count + ", of a release that does not tell"));
            AbandonedTransactions.ofLateWrites(admin).ifPresent(lack -> add("cluster", Result.ADVICE, lack));
        }

        private void ofRights(StartChecks checks) {
            for (AccessCheck.Found found : checks.access.find()) {
                AccessCheck.Right right = found.right();
                String check = right.isPrefix() ? "topics " + right.name() + "*" : String.valueOf(right);
                String later = "whether this user may " + right.names() + " shows when ";
                if (found.problem().isPresent()) {
                    add(check, Result.WRONG, found.problem().get() + ". " + AccessCheck.FIX);
                } else if (found.exists()) {
                    add(check, Result.OK, "may " + right.names());
                } else if (right.isPrefix()) {
                    add(check, Result.OK, "those that are not there may be made; " + later + "they are there");
                } else {
                    add(check, Result.SKIPPED, "not there; " + later + "it is");
                }
            }
        }

        /** Those that are there, and those that would be. */
        private void ofTopics(StartChecks checks, Runnable step) {
            Set<String> names = new LinkedHashSet<>(checks.config.inputTopics());
            names.addAll(checks.config.outputTopics());
            names.addAll(new TopicNames(checks.config.applicationId()).all(checks.config));
            List<TopicState> topics = names.stream()
                    .flatMap(topic -> TopicState.of(checks.admin, topic).stream())
                    .toList();
            for (TopicState topic : topics) {
                add(
                        "topic " + topic.name(),
                        topic.notWritable().isPresent() ? Result.WRONG : Result.OK,
                        topic.notWritable().orElse(String.valueOf(topic)));
            }
            List<String> few = topics.stream()
                    .filter(topic -> !topic.isMadeOnTrial() && topic.replicas() < REPLICAS_ENOUGH)
                    .map(TopicState::name)
                    .toList();
            add(
                    "replication",
                    few.isEmpty() ? Result.OK : Result.ADVICE,
                    few.isEmpty()
                            ? "no topic has fewer than " + REPLICAS_ENOUGH + " replicas"
                            : few.size() + " topics have fewer than " + REPLICAS_ENOUGH + " replicas: with as many and"
                                    + " min.insync.replicas 2 no broker takes records along, and none is waited for");
            step.run();
        }

        private void ofIndex(StartChecks checks, Runnable step) {
            step.run();
            boolean isNew = checks.index().isMadeOnTrial();
            indexId = isNew
                    ? Optional.empty()
                    : Optional.of(checks.index().stored().id());
            add(
                    "index",
                    Result.OK,
                    isNew
                            ? "application.id " + checks.config.applicationId() + " has none: the start makes one"
                            : "that of application.id " + checks.config.applicationId() + " fits these settings");
        }

        // ---- the machine

        private void ofMachine(NeardupConfig config) {
            isAnswered = true;
            Map<String, Object> settings = StreamsSettings.of(config, indexId.orElse("."));
            Path folder = Path.of(String.valueOf(settings.get(StreamsConfig.STATE_DIR_CONFIG)))
                    .normalize();
            LocalState state = new LocalState(folder.resolve(config.applicationId()), StreamsSettings.kept(settings));
            step("state.dir", () -> {
                state.requireFree();
                advise(
                        "state.dir",
                        StreamsSettings.advice(config).orElse(""),
                        folder + " can be written, and no other process uses it");
            });
            long documents = config.indexSize();
            long hot = documents * BandTable.hotBytesPerDocument(config.banding());
            long cold = documents * BandTable.coldBytesPerDocument(config.banding(), config.indexPartitions());
            long originals = documents * OriginalStore.diskBytesPerDocument(config.keepsTextsOfOriginals());
            Alerts.Disk.untouched(state.existing()).ifPresent(disk -> ofDisk(disk, documents, hot + cold, originals));
            long there = Alerts.memoryBesideHeap();
            advise(
                    "memory",
                    Alerts.memory(hot, there).orElse(""),
                    Alerts.text(
                            "%,d documents (neardup.index.size) need %,d MB beside the heap, and there are %,d",
                            documents, hot >> 20, there >> 20));
        }

        private void ofDisk(Alerts.Disk disk, long documents, long buckets, long originals) {
            String needed = Alerts.text(
                    "%,d MB are left; %,d documents (neardup.index.size) need %,d for buckets, twice that while they"
                            + " are merged, and some %,d for originals, where a text has 2 KB",
                    disk.usableBytes() >> 20, documents, buckets >> 20, originals >> 20);
            String little = disk.usableBytes() < 2 * buckets + originals
                    ? needed + "; make room, share them out among several instances, or set neardup.index.size to what"
                            + " is expected"
                    : "";
            advise("disk", Alerts.disk(disk).orElse(little), needed);
        }

        private void advise(String check, String advice, String found) {
            add(check, advice.isEmpty() ? Result.OK : Result.ADVICE, advice.isEmpty() ? found : advice);
        }
    }
}
