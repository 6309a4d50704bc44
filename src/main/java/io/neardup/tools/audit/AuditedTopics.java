package io.neardup.tools.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.record.InputRecord;
import io.neardup.record.RecordHeader;
import io.neardup.streams.topology.OutputRecords;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * The topics of one service as they are when it is judged.
 *
 * @param inputs one or more
 * @param partitions how many each of the topics has
 * @param beginnings the first offset that is there, of every partition of every topic
 * @param settledEnds of every output partition the offset before which all is there: what has left together with a
 *     record before it, or earlier, was read too; of a record behind it that may be missing on another output
 * @param timestampsKept whether all outputs keep the timestamps of documents
 * @param seeds topics of documents that are originals and are on no output
 * @param lostSeeds those of them that are no more, or not whole
 * @param seedsJudged whether documents of seeds were compared with each other, or are of a predecessor: which are
 *     originals is not known then
 * @param verdicts whether duplicates have a verdict in place of their value
 */
record AuditedTopics(
        List<String> inputs,
        String unique,
        String duplicates,
        String deadLetters,
        Map<String, Integer> partitions,
        Map<TopicPartition, Long> beginnings,
        Map<TopicPartition, Long> settledEnds,
        boolean timestampsKept,
        Set<String> seeds,
        Set<String> lostSeeds,
        boolean seedsJudged,
        boolean verdicts) {

    boolean isInput(String topic) {
        return inputs.contains(topic);
    }

    /** Whether it is a dead letter of a seed: no input has it. */
    boolean isOfSeed(InputRecord output) {
        return output.topic().equals(deadLetters)
                && header(output, OutputRecords.SOURCE_TOPIC)
                        .filter(seeds::contains)
                        .isPresent();
    }

    Set<TopicPartition> inputPartitions() {
        return partitionsWhere(this::isInput);
    }

    Set<TopicPartition> outputPartitions() {
        return partitionsWhere(topic -> !isInput(topic));
    }

    private Set<TopicPartition> partitionsWhere(Predicate<String> ofTopic) {
        return beginnings.keySet().stream()
                .filter(partition -> ofTopic.test(partition.topic()))
                .collect(Collectors.toSet());
    }

    /** Whether records of the input partition leave on this partition of an output. */
    boolean leadsTo(TopicPartition input, TopicPartition output) {
        return input.partition() % count(output.topic()) == output.partition();
    }

    private int count(String topic) {
        return Objects.requireNonNull(partitions.get(topic), topic);
    }

    /** Whether all that has left together with a record of an output, or earlier, was read too. */
    boolean isSettled(TopicPartition output, long offset) {
        return offset < Objects.requireNonNull(settledEnds.get(output), output.toString());
    }

    /** Whether records were deleted from the beginning of the partition. */
    boolean isCut(TopicPartition partition) {
        return Objects.requireNonNull(beginnings.get(partition), partition.toString()) > 0;
    }

    /** The headers that came in and that each output keeps; of an input record those too. */
    static List<RecordHeader> given(InputRecord record) {
        return record.headers().stream()
                .filter(header -> !OutputRecords.isTakenOff(header.name()))
                .toList();
    }

    private static Optional<Integer> last(List<RecordHeader> headers, String name) {
        for (int i = headers.size() - 1; i >= 0; i--) {
            if (headers.get(i).name().equals(name)) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }

    /** The last header of the name: what the service adds stands behind what came in. */
    static Optional<String> header(InputRecord record, String name) {
        return last(record.headers(), name)
                .map(place -> record.headers().get(place).value())
                .map(value -> new String(value, UTF_8));
    }
}
