package io.neardup.service.cluster;

import io.neardup.streams.store.TopicNames;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;

/**
 * Deletes from the internal topics what every reader has committed. No time limit does so, as it would delete what is
 * still needed. Streams purges only repartition topics of its own.
 */
public final class InternalTopicPurge {
    private final ClusterAdmin admin;
    private final TopicNames names;
    private final BooleanSupplier isSeeded;

    /** @param isSeeded whether coordinators have released all documents of seeds, which are needed until then */
    public InternalTopicPurge(ClusterAdmin admin, TopicNames names, BooleanSupplier isSeeded) {
        this.admin = admin;
        this.names = names;
        this.isSeeded = isSeeded;
    }

    public void purge() {
        Map<TopicPartition, RecordsToDelete> due = new HashMap<>();
        admin.committed(names.applicationId()).forEach((partition, offset) -> {
            if (isDue(partition.topic())) {
                due.put(partition, RecordsToDelete.beforeOffset(offset));
            }
        });
        if (!due.isEmpty()) {
            admin.answer(admin.client().deleteRecords(due).all());
        }
    }

    private boolean isDue(String topic) {
        return List.of(names.lookups(), names.replies(), names.storyEvents()).contains(topic)
                || (topic.equals(names.seeds()) && isSeeded.getAsBoolean());
    }
}
