package io.neardup.tools.audit;

import io.neardup.record.Verdict;
import io.neardup.service.migration.ClusterView;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Verdicts on a topic, those that were committed when this was made: a lane a partition. */
public final class TopicVerdicts implements VerdictLog {
    private final ClusterView cluster;
    private final String topic;
    private final Map<TopicPartition, Long> starts;
    private final Map<TopicPartition, Long> ends;

    /**
     * Looks how far the topic goes.
     *
     * @param sinceMillis verdicts that were made before are left out; empty for all that are there
     * @throws io.neardup.service.cluster.StartupException if there is no such topic, or it may not be read
     */
    public TopicVerdicts(ClusterView cluster, String topic, OptionalLong sinceMillis) {
        this.cluster = cluster;
        this.topic = topic;
        int count = Objects.requireNonNull(cluster.partitions(List.of(topic)).get(topic));
        List<TopicPartition> partitions = IntStream.range(0, count)
                .mapToObj(number -> new TopicPartition(topic, number))
                .toList();
        this.ends = cluster.admin().committedEnds(partitions);
        this.starts = sinceMillis.isPresent()
                ? cluster.admin().offsetsAt(sinceMillis.getAsLong(), partitions)
                : cluster.admin().beginnings(partitions);
    }

    @Override
    public String name() {
        return topic;
    }

    @Override
    public int lanes() {
        return ends.size();
    }

    @Override
    public Lane open(int lane) {
        TopicPartition partition = new TopicPartition(topic, lane);
        PartitionReading verdicts = new PartitionReading(
                cluster.reader(),
                partition,
                Objects.requireNonNull(starts.get(partition)),
                Objects.requireNonNull(ends.get(partition)));
        return new Lane() {
            @Override
            public @Nullable Verdict next() throws IOException {
                return verdicts.nextVerdict();
            }

            @Override
            public void close() {
                verdicts.close();
            }
        };
    }

    @Override
    public void close() {
        // The cluster is the caller's.
    }
}
