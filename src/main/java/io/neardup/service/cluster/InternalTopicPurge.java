package io.neardup.service.cluster;

import io.neardup.streams.store.TopicNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Deletes from the internal topics what every reader has committed. No time limit does so, as it would delete what is
 * still needed. Streams purges only repartition topics of its own.
 */
public final class InternalTopicPurge {
    private static final long ANSWER_SECONDS = 30;

    private final Admin admin;
    private final String group;
    private final List<String> topics;
    private final String seeds;
    private final BooleanSupplier isSeeded;
    private final Map<TopicPartition, Long> purged = new HashMap<>();

    /** @param isSeeded whether coordinators have released all documents of seeds, which are needed until then */
    public InternalTopicPurge(Admin admin, TopicNames names, BooleanSupplier isSeeded) {
        this.admin = admin;
        this.group = names.applicationId();
        this.topics = List.of(names.lookups(), names.replies());
        this.seeds = names.seeds();
        this.isSeeded = isSeeded;
    }

    public void purge() throws ExecutionException, InterruptedException, TimeoutException {
        Map<TopicPartition, RecordsToDelete> due = new HashMap<>();
        Map<TopicPartition, OffsetAndMetadata> committed = admin.listConsumerGroupOffsets(group)
                .partitionsToOffsetAndMetadata()
                .get(ANSWER_SECONDS, TimeUnit.SECONDS);
        committed.forEach((partition, offset) -> {
            if (offset != null && isDue(partition.topic()) && offset.offset() > purged.getOrDefault(partition, 0L)) {
                due.put(partition, RecordsToDelete.beforeOffset(offset.offset()));
            }
        });
        if (!due.isEmpty()) {
            admin.deleteRecords(due).all().get(ANSWER_SECONDS, TimeUnit.SECONDS);
            due.forEach((partition, records) -> purged.put(partition, records.beforeOffset()));
        }
    }

    private boolean isDue(String topic) {
        return topics.contains(topic) || (topic.equals(seeds) && isSeeded.getAsBoolean());
    }
}
