package io.neardup.tools.audit;

import io.neardup.config.Limits;
import io.neardup.config.NeardupConfig;
import io.neardup.config.Signing;
import io.neardup.record.InputRecord;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.StoredIndex;
import io.neardup.service.migration.ClusterView;
import io.neardup.tools.feed.TopicReading;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Judges the promises of a service by its topics, as they are at one moment. The service may run or not.
 *
 * <p>Brokers commit a transaction on one partition after the other, so there is no moment at which all outputs are as
 * far. First it is noted how far each is committed: what lies before is judged. Then how far each is written, and
 * waited until all of that is decided: there lies whatever has left before or with what is judged. Then how far the
 * inputs go, so that whatever is on an output has its input.
 */
public final class PromiseVerifier {
    /** Records that are kept until their other side is read, over all partitions. */
    private static final int KEPT_MAX = 200_000;

    private static final int KEPT_MIN = 1_000;

    /** Of the heap, for documents: a part for each of two promises. */
    private static final int HEAP_SHARE = 6;

    private final NeardupConfig config;
    private final ClusterView cluster;
    private final Consumer<String> progress;
    /** Originals went that this run had not read. */
    private boolean deletedMeanwhile;

    public PromiseVerifier(ClusterView cluster, Consumer<String> progress) {
        this.config = cluster.config();
        this.cluster = cluster;
        this.progress = progress;
    }

    /**
     * @param ends how far
     * @param seedEnds the same of the seeds that are read
     * @param seed of the index; empty where there is no index any more
     */
    private record Scene(
            AuditedTopics topics,
            Map<TopicPartition, Long> ends,
            Map<TopicPartition, Long> seedEnds,
            Optional<Long> seed) {}

    /**
     * Reads the topics.
     *
     * @param all whether to look at all documents, in as many passes as that takes; else at those of the first pass
     * @return the four promises in their order, where the service writes records; and three where it writes verdicts
     * @throws IOException if a topic cannot be read
     */
    public List<PromiseReport> run(boolean all) throws IOException {
        List<PromiseReport> reports = new ArrayList<>();
        if (config.writesRecords()) {
            reports.addAll(run(all, false));
        }
        if (config.writesVerdicts()) {
            reports.addAll(run(all, true));
        }
        return reports;
    }

    private List<PromiseReport> run(boolean all, boolean ofVerdicts) throws IOException {
        Scene scene = scene(ofVerdicts);
        deletedMeanwhile = false;
        ConservationCheck conservation = new ConservationCheck(scene.topics);
        // Without an index any seed will do to compare documents, but buckets are not those of the service.
        DocumentsCheck documents = new DocumentsCheck(
                scene.topics,
                Signing.of(config, scene.seed.orElse(0L)),
                scene.seed.isPresent(),
                Runtime.getRuntime().maxMemory() / HEAP_SHARE,
                System.currentTimeMillis());
        readSeeds(scene, documents);
        readAll(scene, conservation, documents);
        conservation.end();
        Set<Long> notLeft = notLeft(scene, conservation.firstNotLeft(), documents);
        boolean mayBeDeleted = ofVerdicts
                ? conservation.hasNotJudged() || isCut(scene, config.verdictsTopic())
                : isCut(scene, config.uniqueTopic());
        documents.endPass(mayBeDeleted || deletedMeanwhile, notLeft);
        while (all && documents.startPass()) {
            readSeeds(scene, documents);
            readOutputs(scene, documents);
            documents.endPass(mayBeDeleted || deletedMeanwhile, notLeft);
        }
        List<PromiseReport> reports = new ArrayList<>(List.of(conservation.conservation()));
        reports.addAll(documents.reports());
        reports.add(conservation.order());
        return reports;
    }

    private static boolean isCut(Scene scene, String topic) {
        return scene.topics.outputPartitions().stream()
                .anyMatch(partition -> partition.topic().equals(topic) && scene.topics.isCut(partition));
    }

    private Scene scene(boolean ofVerdicts) {
        List<String> outputTopics = ofVerdicts ? List.of(config.verdictsTopic()) : config.recordTopics();
        List<String> names = new ArrayList<>(config.inputTopics());
        names.addAll(outputTopics);
        Map<String, Integer> partitions = new HashMap<>(cluster.partitions(names));
        Optional<StoredIndex> index = cluster.index();
        // Where the input has grown, an index goes on with the partitions that there were.
        index.ifPresent(found -> config.inputTopics()
                .forEach(topic -> partitions.computeIfPresent(
                        topic, (name, count) -> Math.min(count, found.settings().inputPartitions()))));
        int inputPartitions = config.inputTopics().stream()
                .mapToInt(topic -> Objects.requireNonNull(partitions.get(topic)))
                .max()
                .orElseThrow();
        index.ifPresent(found -> found.requireFits(config, inputPartitions));
        Set<String> seeds = index.map(found -> found.seeds().keySet()).orElse(Set.of());
        Map<TopicPartition, Long> seedEnds = new HashMap<>();
        index.ifPresent(found -> found.seeds().forEach((topic, seed) -> {
            for (int partition = 0; partition < seed.size(); partition++) {
                seedEnds.put(new TopicPartition(topic, partition), seed.get(partition));
            }
        }));
        boolean seedsRead = !ofVerdicts && areWhole(seeds, seedEnds.keySet());
        if (!seedsRead) {
            seedEnds.clear();
        }
        List<TopicPartition> outputs = all(outputTopics, partitions);
        Map<TopicPartition, Long> settled = cluster.admin().committedEnds(outputs);
        Map<TopicPartition, Long> ends = new HashMap<>(cluster.admin().decidedEnds(outputs));
        ends.putAll(cluster.admin().committedEnds(all(config.inputTopics(), partitions)));
        AuditedTopics topics = new AuditedTopics(
                config,
                ofVerdicts,
                partitions,
                cluster.admin().beginnings(ends.keySet()),
                settled,
                cluster.compacted(ofVerdicts ? config.inputTopics() : names),
                ofVerdicts || cluster.keepsTimestamps(outputTopics),
                seeds,
                seedsRead,
                index.filter(StoredIndex::seedsJudged).isPresent(),
                index.filter(found -> found.hasReadOtherInputs(config)).isPresent());
        return new Scene(topics, ends, seedEnds, index.map(StoredIndex::hashSeed));
    }

    /** A seed may be deleted once it is read, or its records may be. */
    private boolean areWhole(Set<String> seeds, Set<TopicPartition> partitions) {
        return cluster.admin().findNow(seeds).keySet().containsAll(seeds)
                && cluster.admin().beginnings(partitions).values().stream().allMatch(beginning -> beginning == 0);
    }

    private static List<TopicPartition> all(List<String> topics, Map<String, Integer> partitions) {
        List<TopicPartition> all = new ArrayList<>();
        topics.forEach(
                topic -> all.addAll(ClusterAdmin.partitions(topic, Objects.requireNonNull(partitions.get(topic)))));
        return all;
    }

    private void readSeeds(Scene scene, DocumentsCheck documents) throws IOException {
        Map<TopicPartition, Long> starts = new HashMap<>(scene.seedEnds);
        starts.replaceAll((partition, end) -> 0L);
        read("seeds: ", starts, scene.seedEnds, documents, documents::takeSeed);
    }

    private void read(
            String what,
            Map<TopicPartition, Long> starts,
            Map<TopicPartition, Long> ends,
            DocumentsCheck documents,
            TopicReading.Action action)
            throws IOException {
        try (KafkaConsumer<byte[], byte[]> consumer = cluster.reader()) {
            TopicReading reading = new TopicReading(consumer, starts, ends);
            reading.readAll(action, text -> progress.accept(what + text));
            reading.takeCut().keySet().forEach(partition -> seeDeleted(partition, documents));
        }
    }

    /** Of a partition, records were deleted before they were read: originals, or tombstones that take some back. */
    private void seeDeleted(TopicPartition partition, DocumentsCheck documents) {
        if (!partition.topic().equals(config.duplicatesTopic())) {
            deletedMeanwhile = true;
            documents.seeRemovalsDeleted();
        }
    }

    /** Inputs and outputs side by side: a partition of which much is kept waits until the others have come as far. */
    private void readAll(Scene scene, ConservationCheck conservation, DocumentsCheck documents) throws IOException {
        int keptMax = Math.max(KEPT_MIN, KEPT_MAX / scene.ends.size());
        try (KafkaConsumer<byte[], byte[]> consumer = cluster.reader()) {
            TopicReading reading = new TopicReading(consumer, scene.topics.beginnings(), scene.ends);
            for (Set<TopicPartition> unfinished = reading.unfinished();
                    !unfinished.isEmpty();
                    unfinished = reading.unfinished()) {
                Set<TopicPartition> next = unfinished.stream()
                        .filter(partition -> conservation.kept(partition) < keptMax)
                        .collect(Collectors.toSet());
                if (next.isEmpty()) {
                    conservation.giveUp(unfinished, keptMax / 2);
                    continue;
                }
                reading.goOnWith(next);
                for (InputRecord record : reading.poll()) {
                    take(record, scene, conservation, documents);
                }
                reading.takeCut().forEach((partition, beginning) -> {
                    conservation.cut(partition, beginning);
                    if (scene.topics.isInput(partition.topic())) {
                        documents.seeCutInput();
                    } else {
                        seeDeleted(partition, documents);
                    }
                });
                progress.accept((scene.topics.ofVerdicts() ? "verdicts: " : "") + reading.progress());
            }
        }
    }

    private void take(InputRecord record, Scene scene, ConservationCheck conservation, DocumentsCheck documents)
            throws IOException {
        if (scene.topics.isInput(record.topic())) {
            conservation.takeInput(record);
            documents.seeInput(record);
            return;
        }
        RecordOutcome outcome = RecordOutcome.of(record, config);
        if (!scene.topics.isFromNoInput(outcome)) {
            conservation.takeOutput(outcome);
        }
        documents.takeOutput(outcome);
    }

    /**
     * Hashes of the names of documents that came in and have not left: after the last that has, no more of an input
     * partition are in flight than may be. An offset in two may be the end of a producer's transaction.
     */
    private Set<Long> notLeft(Scene scene, Map<TopicPartition, Long> from, DocumentsCheck documents)
            throws IOException {
        Map<TopicPartition, Long> starts = new HashMap<>();
        Map<TopicPartition, Long> ends = new HashMap<>();
        from.forEach((partition, notLeft) -> {
            long start = Math.max(notLeft, TopicReading.offset(scene.topics.beginnings(), partition));
            long end = Math.min(start + 2L * Limits.PENDING_MAX, TopicReading.offset(scene.ends, partition));
            if (start < end) {
                starts.put(partition, start);
                ends.put(partition, end);
            }
        });
        Set<Long> hashes = new HashSet<>();
        read("what is in flight: ", starts, ends, documents, record -> hashes.addAll(documents.nameHashes(record)));
        return hashes;
    }

    private void readOutputs(Scene scene, DocumentsCheck documents) throws IOException {
        Map<TopicPartition, Long> ends = new HashMap<>(scene.ends);
        ends.keySet().retainAll(scene.topics.outputPartitions());
        read(
                "pass " + documents.passes() + ": ",
                scene.topics.beginnings(),
                ends,
                documents,
                record -> documents.takeOutput(RecordOutcome.of(record, config)));
    }
}
