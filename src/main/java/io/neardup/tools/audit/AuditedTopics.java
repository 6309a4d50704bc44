package io.neardup.tools.audit;

import io.neardup.config.NeardupConfig;
import io.neardup.config.NeardupConfig.DuplicateValue;
import io.neardup.tools.feed.TopicReading;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * The topics of one service as they are when it is judged: the inputs, and the outputs of records or that of verdicts.
 *
 * @param ofVerdicts whether the outputs are that of verdicts
 * @param partitions how many each of the topics has
 * @param beginnings the first offset that is there, of every partition of every topic
 * @param settledEnds of every output partition the offset before which all is there: what has left together with a
 *     record before it, or earlier, was read too; of a record after it that may be missing on another output
 * @param compacted topics from which any record may be gone that has a later one of its key; not asked of verdicts
 * @param timestampsKept whether all outputs keep the timestamps of documents
 * @param seeds topics of documents that are originals and are on no output
 * @param seedsRead whether the documents of seeds are read: not where one is no more, or not whole, nor of verdicts
 * @param seedsJudged whether documents of seeds were compared with each other, or are of a predecessor: which are
 *     originals is not known then
 * @param inputsChanged whether the index has read an input that was taken out or made again: outputs have its records
 */
record AuditedTopics(
        NeardupConfig config,
        boolean ofVerdicts,
        Map<String, Integer> partitions,
        Map<TopicPartition, Long> beginnings,
        Map<TopicPartition, Long> settledEnds,
        Set<String> compacted,
        boolean timestampsKept,
        Set<String> seeds,
        boolean seedsRead,
        boolean seedsJudged,
        boolean inputsChanged) {

    String promise(String name) {
        return ofVerdicts ? "verdicts-" + name : name;
    }

    boolean isInput(String topic) {
        return config.inputTopics().contains(topic);
    }

    /** Whether no input has it: it is a dead letter of a seed, or a verdict on an input of another time. */
    boolean isFromNoInput(RecordOutcome outcome) {
        if (outcome.source() == null) {
            return false;
        }
        String topic = outcome.source().topic();
        return ofVerdicts ? !isInput(topic) : seeds.contains(topic);
    }

    /** Whether duplicates do not have the texts that came in. */
    boolean hasDuplicatesWithoutText() {
        return ofVerdicts || config.duplicatesValue() == DuplicateValue.VERDICT;
    }

    Set<TopicPartition> inputPartitions() {
        return partitionsOf(true);
    }

    Set<TopicPartition> outputPartitions() {
        return partitionsOf(false);
    }

    private Set<TopicPartition> partitionsOf(boolean inputs) {
        return beginnings.keySet().stream()
                .filter(partition -> isInput(partition.topic()) == inputs)
                .collect(Collectors.toSet());
    }

    /** Whether records of the input partition leave on this partition of an output. */
    boolean leadsTo(TopicPartition input, TopicPartition output) {
        return input.partition() % Objects.requireNonNull(partitions.get(output.topic()), output.topic())
                == output.partition();
    }

    /** Whether all that has left together with a record of an output, or earlier, was read too. */
    boolean isSettled(TopicPartition output, long offset) {
        return offset < TopicReading.offset(settledEnds, output);
    }

    /** Whether records were deleted from the beginning of the partition. */
    boolean isCut(TopicPartition partition) {
        return TopicReading.offset(beginnings, partition) > 0;
    }
}
