package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.ClusterAdmin.FoundTopic;
import io.neardup.service.cluster.CommittedRecords;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.Topics;
import java.io.File;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/**
 * The topic of positions: compacted, of one partition. Keys are {@code file TOPIC PATH} and {@code feed ID}, values
 * begin with a version.
 *
 * <p>A feed that is not refused notes there what it is to send. Then it shuts out each feed that has noted some of the
 * same before, by its transactional id, and only then takes the positions for the last that there are. Of two that
 * begin at once the one whose note is later sees the earlier. Feeds that share no file go on side by side.
 */
final class PositionTopic {
    private static final String VERSION = "1 ";
    private static final String FEED = "feed ";
    /** Of a topic and paths, which may have any other character. */
    static final String SEPARATOR = "\0";
    /** Longer than the cluster keeps a transaction open whose feed was killed. */
    private static final int STALLED_SECONDS = 120;

    private final Map<String, Object> clients;
    private final String feedId;
    private final TopicPartition partition;
    /** What the note of a feed to the same topic begins with, and what keys of its files do. */
    private final String noted;

    private final String filePrefix;
    private final Set<String> roots;
    private final BiConsumer<String, @Nullable String> files;
    /** Those that were shut out, or are to be, with the offsets of their notes. */
    private final Map<String, Long> feeds = new HashMap<>();

    private long readTo;

    /** @param files is given what is kept of each of these, the last is what holds; null for nothing */
    PositionTopic(
            Publication.Options options, String feedId, Set<String> roots, BiConsumer<String, @Nullable String> files) {
        this.clients = options.clients();
        this.feedId = feedId;
        this.partition = new TopicPartition(options.applicationId() + "-feed-positions", 0);
        this.noted = VERSION + options.topic();
        this.filePrefix = "file " + options.topic() + " ";
        this.roots = roots;
        this.files = files;
    }

    /**
     * Makes the topic if it is missing, as Kafka Streams makes its own.
     *
     * @throws StartupException if it would not keep positions
     */
    void prepare(ClusterAdmin admin) {
        String name = partition.topic();
        if (admin.findNow(List.of(name)).isEmpty()) {
            create(admin);
            return;
        }
        Config config = Objects.requireNonNull(admin.settings(List.of(name)).get(name));
        String policy = Topics.value(config, TopicConfig.CLEANUP_POLICY_CONFIG);
        if (!policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
            throw new StartupException("topic " + name + ": expected cleanup.policy=compact, found " + policy
                    + ", which forgets files that were sent: change it with kafka-configs.sh --alter");
        }
    }

    private void create(ClusterAdmin admin) {
        NewTopic topic = new NewTopic(partition.topic(), Optional.of(1), Optional.empty())
                .configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT));
        try {
            admin.create(topic);
        } catch (StartupException e) {
            String expected = "expected the topic " + partition.topic() + ", which keeps how far files were sent";
            throw BulkProducer.refused(feedId, partition.topic(), e, AclOperation.CREATE, expected);
        }
    }

    /** Reads how far files are sent by now; waits for nobody and shuts out nobody. */
    void look(ClusterAdmin admin) {
        try {
            // A broker may learn late of a topic that was just made.
            Map<String, FoundTopic> unused = admin.findCreated(List.of(partition.topic()));
            read(admin.committedEnds(List.of(partition)));
        } catch (KafkaException e) {
            throw BulkProducer.refused(feedId, partition.topic(), e, AclOperation.READ, expected());
        }
    }

    /** Shuts out earlier feeds of the same files, and reads how far these were sent since. */
    void take(Producer<byte[], byte[]> producer, ClusterAdmin admin) throws InterruptedException {
        AclOperation operation = AclOperation.WRITE;
        try {
            String value = noted + roots.stream().map(root -> SEPARATOR + root).collect(Collectors.joining());
            producer.beginTransaction();
            Future<RecordMetadata> note = send(producer, FEED + feedId, value);
            producer.commitTransaction();
            long own = note.get().offset();
            operation = AclOperation.READ;
            read(admin.ends(List.of(partition)));
            feeds.values().removeIf(offset -> offset >= own);
            if (!feeds.isEmpty()) {
                admin.shutOut(feeds.keySet());
                read(admin.ends(List.of(partition)));
                feeds.values().removeIf(offset -> offset >= own);
            }
        } catch (ExecutionException | KafkaException e) {
            throw BulkProducer.refused(feedId, partition.topic(), e, operation, expected());
        }
    }

    private String expected() {
        return "expected to read from the topic " + partition.topic() + " how far files were sent";
    }

    /** Goes on to this end: where it is behind transactions that are open, once these have ended. */
    private void read(Map<TopicPartition, Long> end) {
        new CommittedRecords(clients, STALLED_SECONDS).read(Map.of(partition, readTo), end, this::read);
        readTo = Objects.requireNonNull(end.get(partition));
    }

    private void read(ConsumerRecord<byte[], byte[]> record) {
        String key = new String(record.key(), UTF_8);
        byte @Nullable [] bytes = record.value();
        String value = bytes == null ? null : new String(bytes, UTF_8);
        if (value != null && !value.startsWith(VERSION)) {
            throw new StartupException(
                    "topic " + record.topic() + ", offset " + record.offset() + ": expected version " + VERSION.strip()
                            + " of what is kept of files, found another: feed with the release that wrote it");
        }
        if (key.startsWith(FEED)) {
            readFeed(key.substring(FEED.length()), value, record.offset());
        } else if (key.startsWith(filePrefix)) {
            String path = key.substring(filePrefix.length());
            if (isUnder(path, roots)) {
                files.accept(path, value == null ? null : value.substring(VERSION.length()));
            }
        }
    }

    private void readFeed(String other, @Nullable String value, long offset) {
        feeds.remove(other);
        if (value != null && !other.equals(feedId)) {
            List<String> parts = List.of(value.split(SEPARATOR, -1));
            Set<String> theirs = new HashSet<>(parts.subList(1, parts.size()));
            boolean isShared = theirs.stream().anyMatch(root -> isUnder(root, roots))
                    || roots.stream().anyMatch(root -> isUnder(root, theirs));
            if (isShared && parts.get(0).equals(noted)) {
                feeds.put(other, offset);
            }
        }
    }

    /** By the text of paths alone: those of another system may be none here. */
    private static boolean isUnder(String path, Set<String> roots) {
        boolean isUnder = roots.contains(path);
        for (int end = path.lastIndexOf(File.separatorChar); end >= 0 && !isUnder; ) {
            isUnder = roots.contains(path.substring(0, end)) || roots.contains(path.substring(0, end + 1));
            end = path.lastIndexOf(File.separatorChar, end - 1);
        }
        return isUnder;
    }

    /** Into the transaction; null to forget the file. */
    void keep(Producer<byte[], byte[]> producer, String file, @Nullable String value) {
        Future<RecordMetadata> unused = send(producer, filePrefix + file, value == null ? null : VERSION + value);
    }

    /** Notes, in the transaction, that this feed is over, as those are that it has shut out. */
    void over(Producer<byte[], byte[]> producer) {
        feeds.put(feedId, 0L);
        for (String feed : feeds.keySet()) {
            Future<RecordMetadata> unused = send(producer, FEED + feed, null);
        }
    }

    /** What fails lets the commit fail. */
    private Future<RecordMetadata> send(Producer<byte[], byte[]> producer, String key, @Nullable String value) {
        byte[] bytes = value == null ? null : value.getBytes(UTF_8);
        return producer.send(new ProducerRecord<>(partition.topic(), 0, key.getBytes(UTF_8), bytes));
    }
}
