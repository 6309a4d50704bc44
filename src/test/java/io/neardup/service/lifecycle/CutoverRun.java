package io.neardup.service.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.migration.ClusterView;
import io.neardup.service.migration.CutoverRequest;
import io.neardup.streams.store.Cutover;
import io.neardup.streams.store.Cutover.CutoverStage;
import io.neardup.testing.InstanceProcess;
import io.neardup.testing.Outputs;
import io.neardup.testing.OwnThread;
import io.neardup.testing.Promises;
import io.neardup.testing.Records;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;

/**
 * One index hands its input over to another while it is fed, and both are killed now and then, each a process of its
 * own; then what has left is judged.
 */
final class CutoverRun implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int EARLY_BATCHES = 20;
    private static final int EARLY_OUT = 100;
    private static final int TAKEN_MIN = 10;
    private static final long PAUSE_MAX_MILLIS = 3_000;
    /** Coordinators hear of it within a second or two, and are empty soon. */
    private static final long PAUSE_BETWEEN_MAX_MILLIS = 1_500;

    private static final long AWAY_MAX_MILLIS = 1_500;
    private static final String OLD = "old";
    private static final String SUCCESSOR = "new";

    /** Equal, so that whatever one of them is told of is what the other would be told of. */
    private static final long HASH_SEED = 5;

    private final String servers;
    private final Path folder;
    private final CutoverPlan plan;
    private final Random random;
    private final Map<String, InstanceProcess> instances = new HashMap<>();
    private final List<String> kills = new ArrayList<>();
    private final long startNanos = System.nanoTime();

    CutoverRun(String servers, Path folder, CutoverPlan plan) {
        this.servers = servers;
        this.folder = folder;
        this.plan = plan;
        this.random = plan.ofKills();
    }

    private String applicationId(String name) {
        return name + "-" + plan.seed();
    }

    private List<String> settings(String name) {
        List<String> settings = new ArrayList<>(List.of(
                "bootstrap.servers=" + servers,
                "application.id=" + applicationId(name),
                "replication.factor=1",
                "num.stream.threads=1",
                "neardup.input.topics=" + String.join(",", plan.topics()),
                "neardup.versions=" + (plan.replacesVersions() ? "replace" : "compare"),
                "neardup.hash.seed=" + HASH_SEED));
        if (name.equals(SUCCESSOR)) {
            settings.add("neardup.successor.of=" + applicationId(OLD));
        }
        return settings;
    }

    private NeardupConfig config(String name) {
        return NeardupConfig.forCluster(new Settings().pairs(settings(name)));
    }

    private void start(String name) throws IOException {
        instances.put(name, InstanceProcess.start(folder.resolve(applicationId(name)), settings(name)));
    }

    private InstanceProcess instance(String name) {
        return instances.computeIfAbsent(name, absent -> {
            throw new IllegalStateException(absent + " was never started");
        });
    }

    /** Runs it to its end; returns how much was judged of each. */
    Map<String, Integer> run() throws Exception {
        Records.createTopics(servers, Outputs.ALL, plan.coordinators());
        Records.createTopics(servers, plan.topics(), plan.coordinators());
        start(OLD);
        try (CutoverFeed feed = new CutoverFeed(servers, plan);
                CutoverOutputs outputs = new CutoverOutputs(servers)) {
            feed.feed(EARLY_BATCHES);
            outputs.await(EARLY_OUT, PATIENCE);
            grow();
            feed.grow();
            CompletableFuture<Void> feeding = feedOn(feed);
            try {
                handOver();
            } finally {
                feed.stop();
            }
            feeding.join();
            outputs.await(feed.fed().size(), PATIENCE);
            assertThat(instance(SUCCESSOR).isAlive()).isTrue();
            Promises.requireVerified(config(SUCCESSOR), true);
            return new CutoverOutcome(plan, left(), feed.fed(), outputs.left()).check(config(SUCCESSOR), HASH_SEED);
        }
    }

    private static CompletableFuture<Void> feedOn(CutoverFeed feed) {
        CompletableFuture<Void> feeding = new CompletableFuture<>();
        OwnThread.named("feed").execute(() -> {
            try {
                feed.feed(Integer.MAX_VALUE);
                feeding.complete(null);
            } catch (ExecutionException | InterruptedException | RuntimeException e) {
                feeding.completeExceptionally(e);
            }
        });
        return feeding;
    }

    private void handOver() throws Exception {
        start(SUCCESSOR);
        for (int i = 0; i < plan.killsBefore(); i++) {
            kill(random.nextInt(3) == 0 ? OLD : SUCCESSOR, PAUSE_MAX_MILLIS);
        }
        ask();
        // Each of the two, and then any.
        for (int i = 0; i < plan.killsBetween(); i++) {
            kill(i == 0 || (i > 1 && random.nextBoolean()) ? OLD : SUCCESSOR, PAUSE_BETWEEN_MAX_MILLIS);
        }
        requireEnd();
        for (int i = 0; i < plan.killsAfter(); i++) {
            kill(SUCCESSOR, PAUSE_MAX_MILLIS);
        }
        Map<TopicPartition, Long> left = left();
        await("what the successor takes").atMost(PATIENCE).until(() -> hasTakenMoreThan(left));
    }

    private void kill(String name, long pauseMaxMillis) throws Exception {
        TimeUnit.MILLISECONDS.sleep(random.nextLong(pauseMaxMillis));
        kills.add(name + " at " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos) + " " + stage());
        instance(name).killHard();
        TimeUnit.MILLISECONDS.sleep(random.nextLong(AWAY_MAX_MILLIS));
        start(name);
    }

    /** As the command does it. */
    private void ask() {
        try (ClusterView cluster = new ClusterView(config(OLD))) {
            new CutoverRequest(applicationId(OLD), cluster).ask(applicationId(SUCCESSOR));
        }
    }

    /** Where it was empty before it was killed, it is refused to start. */
    private void requireEnd() throws Exception {
        InstanceProcess old = instance(OLD);
        int exitCode = old.awaitEnd(PATIENCE);
        assertThat(exitCode == 0 || old.log().contains("expected an index with an input"))
                .as(old.log())
                .isTrue();
        assertThat(stage()).isEqualTo(CutoverStage.EMPTY);
    }

    private CutoverStage stage() {
        return cutover().stage();
    }

    private Cutover cutover() {
        try (ClusterView cluster = new ClusterView(config(OLD))) {
            return cluster.cutover();
        }
    }

    /** By partition of the input, the first record that the successor is to take. */
    private Map<TopicPartition, Long> left() {
        Cutover cutover = cutover();
        Map<TopicPartition, Long> left = new HashMap<>();
        for (String topic : plan.topics()) {
            for (int p = 0; p < plan.partitions(); p++) {
                long fixed = cutover.positions().getOrDefault(p, Map.of()).getOrDefault(topic, 0L);
                left.put(new TopicPartition(topic, p), Math.max(0, fixed));
            }
        }
        return left;
    }

    /** Whether the successor has committed records of each partition. */
    private boolean hasTakenMoreThan(Map<TopicPartition, Long> left) {
        try (ClusterView cluster = new ClusterView(config(SUCCESSOR))) {
            Map<TopicPartition, Long> taken = cluster.admin().committed(SUCCESSOR);
            return left.entrySet().stream()
                    .allMatch(start -> taken.getOrDefault(start.getKey(), 0L) > start.getValue() + TAKEN_MIN);
        }
    }

    private void grow() throws ExecutionException, InterruptedException {
        if (plan.partitions() > plan.coordinators()) {
            for (String topic : plan.topics()) {
                Records.grow(servers, topic, plan.partitions());
            }
        }
    }

    @Override
    public void close() {
        System.out.println(plan + " kills=" + kills + " seconds="
                + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNanos));
        instances.values().forEach(InstanceProcess::close);
    }
}
