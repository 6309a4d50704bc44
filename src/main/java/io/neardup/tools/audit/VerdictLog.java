package io.neardup.tools.audit;

import io.neardup.record.InputRecord;
import io.neardup.record.Verdict;
import io.neardup.record.VerdictCodec;
import io.neardup.service.migration.ClusterView;
import io.neardup.tools.feed.Feed;
import io.neardup.tools.feed.FeedRecord;
import io.neardup.tools.feed.TopicReading;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The verdicts of one service, in lanes that are read one by one, each as often as is needed. All verdicts on an
 * input partition are in one lane, in the order of the input; a lane may hold those on several, mixed.
 *
 * @param name what it is called: a topic or a file
 * @param lanes how many there are, at least 1
 * @param opener begins to read a lane, from 0; the one before is read no more
 */
public record VerdictLog(String name, int lanes, Opener opener) implements Closeable {
    private static final int LINE_BYTES_MAX = 1 << 20;

    public interface Opener extends Closeable {
        Lane open(int lane) throws IOException;

        @Override
        default void close() throws IOException {}
    }

    /** One reading of a lane. */
    public interface Lane extends Closeable {
        /**
         * The next verdict; null at the end.
         *
         * @throws IOException if it cannot be read, or is no verdict
         */
        @Nullable
        Verdict next() throws IOException;

        @Override
        default void close() throws IOException {}
    }

    /** The lines of a file, which may be packed by gzip or zstd: one lane. */
    public static VerdictLog ofFile(String file) {
        return new VerdictLog(file, 1, lane -> new Lane() {
            private final Feed feed =
                    new Feed(List.of(file), InputStream.nullInputStream(), Feed.Kind.LINES, LINE_BYTES_MAX);

            @Override
            public @Nullable Verdict next() throws IOException {
                FeedRecord line = feed.next();
                try {
                    return line == null ? null : VerdictCodec.decode(line.bytes());
                } catch (IOException e) {
                    throw new IOException(line.position() + ": " + e.getMessage(), e);
                }
            }

            @Override
            public void close() throws IOException {
                feed.close();
            }
        });
    }

    /**
     * Those on a topic that were committed when this was made: a lane a partition.
     *
     * @param cluster stays open for as long as lanes are read
     * @param sinceMillis verdicts that were made before are skipped; empty for all that are there
     * @throws io.neardup.service.cluster.StartupException if there is no such topic, or it may not be read
     */
    public static VerdictLog ofTopic(ClusterView cluster, String topic, OptionalLong sinceMillis) {
        List<TopicPartition> partitions = cluster.partitionsOf(List.of(topic));
        Map<TopicPartition, Long> ends = cluster.admin().committedEnds(partitions);
        return new VerdictLog(topic, partitions.size(), new Opener() {
            private final KafkaConsumer<byte[], byte[]> consumer = cluster.reader();

            @Override
            public Lane open(int lane) throws IOException {
                TopicPartition partition = new TopicPartition(topic, lane);
                // Asked now: an earlier lane may take hours, in which retention deletes what was the first.
                Map<TopicPartition, Long> starts = cluster.admin().starts(sinceMillis, List.of(partition));
                TopicReading reading =
                        new TopicReading(consumer, starts, Map.of(partition, TopicReading.offset(ends, partition)));
                return () -> {
                    InputRecord record = reading.next();
                    return record == null ? null : RecordOutcome.verdict(record);
                };
            }

            @Override
            public void close() {
                consumer.close(CloseOptions.timeout(Duration.ZERO));
            }
        });
    }

    @Override
    public void close() throws IOException {
        opener.close();
    }
}
