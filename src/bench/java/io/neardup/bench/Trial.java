package io.neardup.bench;

import io.neardup.bench.Bench.Input;
import io.neardup.bench.Drain.Observation;
import io.neardup.bench.WorkerProcess.Figures;
import io.neardup.tools.feed.Progress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.utils.Utils;

/** A subject with output topics and state of its own; it may be stopped and go on in another process. */
final class Trial {
    private final Bench bench;
    private WorkerProcess worker;
    private final String application;
    private final Map<String, String> settings;
    private final List<TopicPartition> outputs;

    /**
     * Makes the output topics; the subject is not started.
     *
     * @param application distinct for each trial, and never the beginning of another
     * @param more settings that go over those of the command line
     */
    Trial(Bench bench, WorkerProcess worker, String application, Input input, Map<String, String> more) {
        this.bench = bench;
        this.worker = worker;
        this.application = application;
        this.settings = settings(input, more);
        List<String> topics = List.of(unique(), duplicates(), deadLetters());
        bench.cluster().create(topics, input.partitions(), Map.of());
        bench.cluster().create(List.of(verdicts()), input.partitions(), Map.of());
        bench.cluster()
                .create(
                        List.of(stories()),
                        input.partitions(),
                        Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT));
        this.outputs = BenchCluster.partitions(topics, input.partitions());
    }

    private Map<String, String> settings(Input input, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(more);
        all.putAll(bench.documents().settings());
        all.put("application.id", application);
        all.put("bootstrap.servers", bench.cluster().servers());
        all.put("state.dir", stateFolder().toString());
        all.put("replication.factor", "1");
        all.put("neardup.input.topics", input.topic());
        all.put("neardup.unique.topic", unique());
        all.put("neardup.duplicates.topic", duplicates());
        all.put("neardup.dead-letter.topic", deadLetters());
        all.put("neardup.verdicts.topic", verdicts());
        all.put("neardup.stories.topic", stories());
        return all;
    }

    String unique() {
        return application + "-unique";
    }

    String duplicates() {
        return application + "-duplicate-of";
    }

    String deadLetters() {
        return application + "-dead-letter";
    }

    /** Written where the settings say so; nothing is counted by it. */
    private String verdicts() {
        return application + "-verdicts";
    }

    /** As verdicts. */
    private String stories() {
        return application + "-stories";
    }

    List<TopicPartition> outputs() {
        return outputs;
    }

    private Path stateFolder() {
        return bench.stateFolder().resolve(application);
    }

    Progress progress() {
        return bench.progress();
    }

    /** Returns when the subject is running. */
    void start() {
        worker.start(settings);
    }

    /** Goes on in another process. */
    void start(WorkerProcess other) {
        worker = other;
        start();
    }

    Observation observe() {
        return new Observation(
                System.nanoTime(),
                System.currentTimeMillis(),
                bench.cluster().committedEnds(outputs),
                worker.cpuNanos(),
                bench.brokerCpuNanos());
    }

    /** @throws BenchException if the subject has failed */
    Figures figures() {
        return worker.figures();
    }

    /** Of the heap, only what is live counts then. */
    Figures figuresAfterGc() {
        return worker.figuresAfterGc();
    }

    /** The records between these ends of {@link #outputs}. */
    CommittedOutput read(List<Long> starts, List<Long> ends, long firstDocument) {
        return CommittedOutput.read(bench.cluster().servers(), outputs, starts, ends, firstDocument);
    }

    /** Returns when the subject has stopped, and everything of it is on disk. */
    void stop() {
        worker.stop();
    }

    /** Loses the local state. The subject is stopped. */
    void deleteState() throws IOException {
        Utils.delete(stateFolder().toFile());
    }

    /** Bytes of the local state, on disk. */
    long stateBytes() {
        if (!Files.exists(stateFolder())) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(stateFolder())) {
            return files.filter(Files::isRegularFile).mapToLong(Trial::size).sum();
        } catch (IOException | UncheckedIOException e) {
            throw new BenchException("cannot read the state folder: " + e.getMessage(), e);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Bytes on the broker of each store's changelog, as written: nothing is compacted. */
    Map<String, Long> changelogBytes() {
        Map<String, Long> bytes = new HashMap<>();
        bench.cluster().bytes(application + "-", "-changelog").forEach((topic, size) -> {
            String store = topic.substring(application.length() + 1, topic.length() - "-changelog".length());
            bytes.put(store, size);
        });
        return bytes;
    }

    /** Gives its topics up. */
    void delete() {
        bench.cluster().deleteAll(application + "-");
    }

    static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchException("interrupted", e);
        }
    }
}
