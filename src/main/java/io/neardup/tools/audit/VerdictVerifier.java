package io.neardup.tools.audit;

import io.neardup.config.Limits;
import io.neardup.config.NeardupConfig;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Position;
import io.neardup.service.migration.ClusterView;
import io.neardup.streams.topology.OutputRecords;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Judges the promises of a service by its verdicts, as they are at one moment: one on each record of the input, in its
 * order, and duplicates name what is unique. The service may run or not.
 */
public final class VerdictVerifier {
    /** Of the heap, for the ids of unique documents. */
    private static final int HEAP_SHARE = 6;

    private static final int TOLD_RECORDS = 10_000;

    private final NeardupConfig config;
    private final ClusterView cluster;
    private final Consumer<String> progress;
    private final DocumentReader reader;
    private final VerdictPlaces places = new VerdictPlaces();
    private final VerdictClaims claims;
    private final Map<TopicPartition, Long> beginnings = new HashMap<>();
    private final Map<TopicPartition, Long> ends = new HashMap<>();

    /**
     * @param cluster of the same settings
     * @param progress told how far it is
     */
    public VerdictVerifier(NeardupConfig config, ClusterView cluster, Consumer<String> progress) {
        this.config = config;
        this.cluster = cluster;
        this.progress = progress;
        this.reader = config.documentReaders().get();
        this.claims = new VerdictClaims(
                config.threshold(), config.fingerprint(), Runtime.getRuntime().maxMemory() / HEAP_SHARE);
    }

    /**
     * Reads the input and the verdicts.
     *
     * @return three promises
     * @throws IOException if a topic cannot be read
     */
    public List<PromiseReport> run() throws IOException {
        List<TopicPartition> verdicts = partitions(List.of(config.verdictsTopic()));
        List<TopicPartition> inputs = partitions(config.inputTopics());
        // First those of the verdicts: what they are on is there then.
        ends.putAll(cluster.admin().committedEnds(verdicts));
        ends.putAll(cluster.admin().committedEnds(inputs));
        beginnings.putAll(cluster.admin().beginnings(ends.keySet()));
        for (TopicPartition input : inputs) {
            read(input);
        }
        claims.end(places.passedOver() == 0 && verdicts.stream().allMatch(verdict -> of(beginnings, verdict) == 0));
        return reports();
    }

    private List<TopicPartition> partitions(List<String> topics) {
        List<TopicPartition> all = new ArrayList<>();
        cluster.partitions(topics).forEach((topic, count) -> IntStream.range(0, count)
                .forEach(number -> all.add(new TopicPartition(topic, number))));
        return all;
    }

    private static long of(Map<TopicPartition, Long> offsets, TopicPartition partition) {
        return Objects.requireNonNull(offsets.get(partition), partition.toString());
    }

    private PartitionReading open(TopicPartition partition) {
        return new PartitionReading(cluster.reader(), partition, of(beginnings, partition), of(ends, partition));
    }

    private void read(TopicPartition input) throws IOException {
        TopicPartition lane = new TopicPartition(config.verdictsTopic(), input.partition());
        try (PartitionReading records = open(input);
                PartitionReading verdicts = open(lane)) {
            ConsumerRecord<byte[], byte[]> record = records.next();
            for (Verdict verdict = next(verdicts, input.topic());
                    verdict != null;
                    verdict = next(verdicts, input.topic())) {
                claims.take(verdict);
                if (places.isNext(verdict.position())) {
                    record = join(verdict.position(), record, records);
                }
                tell(input);
            }
            readRest(record, records);
        }
        places.endPartition(input.topic(), input.partition());
    }

    /** The next verdict on the input topic: several may share a lane. */
    private @Nullable Verdict next(PartitionReading verdicts, String topic) throws IOException {
        Verdict verdict = verdicts.nextVerdict();
        while (verdict != null && !verdict.position().topic().equals(topic)) {
            verdict = verdicts.nextVerdict();
        }
        return verdict;
    }

    /** Goes on in the input up to the verdict's record; the record behind it. */
    private @Nullable ConsumerRecord<byte[], byte[]> join(
            Position verdict, @Nullable ConsumerRecord<byte[], byte[]> from, PartitionReading records)
            throws IOException {
        ConsumerRecord<byte[], byte[]> record = from;
        while (record != null && record.offset() < verdict.offset()) {
            places.passOver(new Position(record.topic(), record.partition(), record.offset()));
            record = records.next();
        }
        if (record == null || record.offset() > verdict.offset()) {
            TopicPartition input = new TopicPartition(verdict.topic(), verdict.partition());
            places.noRecord(verdict, verdict.offset() < of(beginnings, input));
            return record;
        }
        places.match();
        return records.next();
    }

    /** No more are in flight than may be; what lies behind names nothing yet. */
    private void readRest(@Nullable ConsumerRecord<byte[], byte[]> from, PartitionReading records) throws IOException {
        long inFlight = 0;
        for (ConsumerRecord<byte[], byte[]> record = from; record != null; record = records.next()) {
            places.noteNotLeft();
            if (inFlight++ < 2L * Limits.PENDING_MAX
                    && reader.read(OutputRecords.copy(record)) instanceof Document document) {
                claims.noteNotLeft(document.id());
            }
        }
    }

    private void tell(TopicPartition input) {
        if (places.matched() % TOLD_RECORDS == 0) {
            progress.accept(
                    String.format(Locale.ROOT, "%,d records with a verdict, those of %s now", places.matched(), input));
        }
    }

    private List<PromiseReport> reports() {
        List<String> ofPlaces = new ArrayList<>();
        note(places.notLeft(), "records have not left yet", ofPlaces);
        note(places.passedOver(), "records were taken before there were verdicts, or are deleted", ofPlaces);
        List<String> ofClaims = new ArrayList<>();
        if (claims.classes() > 1) {
            ofClaims.add("a sample: one of " + claims.classes()
                    + " parts of the originals; a larger heap (java -Xmx4g -jar ...) takes more");
        }
        note(claims.notYet(), "duplicates name a document that has not left yet", ofClaims);
        note(claims.notJudged(), "duplicates name a document of which the verdict may be deleted", ofClaims);
        note(claims.ofSeeds(), "duplicates name a document of a seed, on which there is no verdict", ofClaims);
        note(claims.underOthers(), "duplicates were judged by other settings: their similarity is not", ofClaims);
        return List.of(
                new PromiseReport(
                        "verdicts-conservation", places.matched(), "records", places.conservation(), true, ofPlaces),
                new PromiseReport(
                        "verdicts-valid-reference", claims.judged(), "duplicates", claims.breaks(), true, ofClaims),
                new PromiseReport("verdicts-order", places.matched(), "records", places.order(), true, List.of()));
    }

    private static void note(long count, String what, List<String> notes) {
        if (count > 0) {
            notes.add(String.format(Locale.ROOT, "%,d %s", count, what));
        }
    }
}
