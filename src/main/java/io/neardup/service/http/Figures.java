package io.neardup.service.http;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.service.cluster.GroupStatus;
import io.neardup.service.lifecycle.DedupService;
import io.neardup.service.lifecycle.ServiceStatus;
import io.neardup.service.lifecycle.SteadyClock;
import io.neardup.streams.metrics.ServiceCounts;
import io.neardup.streams.metrics.ServiceMetric;
import java.util.Optional;

/** The figures of an instance, and what the cluster knows of its group, as JSON. */
final class Figures {
    private static final String UNIQUE = "unique";
    private static final String DUPLICATE = "duplicate";
    private static final String DEAD_LETTER = "dead-letter";

    private Figures() {}

    /** What this instance is at and has done. */
    static ObjectNode instance(DedupService service) {
        ServiceCounts counts = service.counts();
        ObjectNode json = Health.json(service.status());
        json.put("id", service.instance());
        ObjectNode documents = json.putObject("documents")
                .put("unique", counts.sum(ServiceMetric.DOCUMENTS, UNIQUE))
                .put("duplicates", counts.sum(ServiceMetric.DOCUMENTS, DUPLICATE))
                .put("deadLetters", counts.sum(ServiceMetric.DOCUMENTS, DEAD_LETTER));
        ObjectNode reasons = documents.putObject("deadLettersByReason");
        counts.forEachTotal(ServiceMetric.DOCUMENTS, (labels, total) -> {
            if (labels.get(0).equals(DEAD_LETTER) && total > 0) {
                reasons.put(labels.get(1), total);
            }
        });
        json.put("pending", counts.values(ServiceMetric.PENDING).sum());
        json.put("oldestPendingSeconds", counts.oldestPendingSeconds(SteadyClock.SYSTEM.millis()));
        json.put("askedAgain", counts.sum(ServiceMetric.ASKED_AGAIN, ""));
        json.put("boundedDocuments", counts.sum(ServiceMetric.DOCUMENTS_BOUNDED, ""));
        json.put(
                "indexedDocuments",
                counts.values(ServiceMetric.INDEX_DOCUMENTS).max().orElse(0));
        json.put("indexBytes", counts.values(ServiceMetric.INDEX_BYTES).sum());
        ArrayNode attention = json.putArray("attention");
        service.attention().forEach(attention::add);
        return json;
    }

    /** What the cluster knows of all instances; null where it has not answered yet. */
    static void putGroup(ObjectNode json, Optional<GroupStatus> group) {
        if (group.isEmpty()) {
            json.putNull("group");
            return;
        }
        GroupStatus known = group.get();
        ArrayNode partitions = json.putObject("group")
                .put("state", known.state())
                .put("members", known.members())
                .put("lag", known.totalLag())
                .put("secondsAgo", known.secondsAgo())
                .putArray("lagByPartition");
        known.lag().forEach(lag -> partitions
                .addObject()
                .put("topic", lag.topic())
                .put("partition", lag.partition())
                .put("records", lag.records()));
    }

    /** All that is known; of an instance that has no service yet just that. */
    static ObjectNode status(Optional<DedupService> service) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        if (service.isEmpty()) {
            json.set("instance", Health.json(ServiceStatus.STARTING));
            return json;
        }
        json.put("applicationId", service.get().config().applicationId());
        json.set("instance", instance(service.get()));
        putGroup(json, service.get().group());
        return json;
    }
}
