package io.neardup.service.cluster;

import io.neardup.config.NeardupConfig;
import io.neardup.service.cluster.StoredIndex.KnownTopics;
import io.neardup.streams.store.TopicNames;
import io.neardup.streams.store.UnreleasedInput;
import io.neardup.streams.store.UnreleasedInput.Unreleased;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether all has left of the topics that were inputs and are no more. What was decided unique there and never left
 * would stay an original: later documents would be duplicates of it. They would wait for what is still pending.
 */
public record RemovedInputCheck(ClusterAdmin admin, NeardupConfig config) {
    private static final Logger LOG = LoggerFactory.getLogger(RemovedInputCheck.class);

    private static final int STALLED_SECONDS = 60;

    /** Reads the changelog of where the coordinators stand, if a topic is missing from the inputs. */
    public void check(KnownTopics known, int coordinators) {
        TopicNames names = new TopicNames(config.applicationId());
        SortedSet<String> removed = known.removedInputs(config.inputTopics(), names.changelogs());
        if (removed.isEmpty()) {
            return;
        }
        requireUnread(removed);
        LOG.info("looking for documents that have not left, of topics that are no inputs any more topics={}", removed);
        List<Unreleased> unreleased = unreleased(names.progressChangelog(), coordinators).stream()
                .filter(found -> removed.contains(found.topic()))
                .toList();
        if (!config.forgetsRemovedInput()) {
            StartupException.throwIfAny(
                    unreleased.stream().map(RemovedInputCheck::problem).toList(),
                    "Put the topic back, let nobody write to it, and take it out when it has drained; or start with"
                            + " --input-removed forget: these records are forgotten then, and duplicates that have left"
                            + " may name one of them.");
        }
        unreleased.forEach(found -> admin.warn(
                LOG,
                "forgetting documents that have not left topic={} partition={} offset.first={} documents.max={}",
                found.topic(),
                found.partition(),
                found.firstOffset(),
                found.recordsMax()));
    }

    /** Tasks that run would lose it, at which Kafka Streams 4.3.1 fails where they have read of it. */
    private void requireUnread(Set<String> removed) {
        Set<String> read = new TreeSet<>();
        admin.committed(config.applicationId()).keySet().forEach(partition -> read.add(partition.topic()));
        read.retainAll(removed);
        if (read.isEmpty()) {
            return;
        }
        admin.assignedTopics(config, now -> Collections.disjoint(now, read)).ifPresent(read::retainAll);
        StartupException.throwIfAny(read.stream()
                .map(topic -> "topic " + topic + ": expected no instance to read it any more before it is taken out"
                        + " of neardup.input.topics, found instances that do; stop all instances first, or put it back")
                .toList());
    }

    private List<Unreleased> unreleased(String progress, int coordinators) {
        List<TopicPartition> partitions = ClusterAdmin.partitions(progress, coordinators);
        UnreleasedInput input = new UnreleasedInput();
        new CommittedRecords(StreamsSettings.clients(config), STALLED_SECONDS)
                .read(
                        Map.of(),
                        admin.ends(partitions),
                        record -> input.apply(record.partition(), record.key(), record.value()));
        return input.unreleased();
    }

    private static String problem(Unreleased found) {
        return "topic " + found.topic() + ", partition " + found.partition()
                + ": expected all that was read to have left before the topic is taken out of neardup.input.topics,"
                + " found that at most " + found.recordsMax() + " records from offset " + found.firstOffset()
                + " on have not";
    }
}
