package io.neardup.publish;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.jspecify.annotations.Nullable;

/**
 * How far files were sent to a topic. It is kept in the cluster, as the offset of a consumer group that nobody joins,
 * and is committed with the records in one transaction: so neither is there without the other.
 */
final class SentPosition {
    private static final int ID_LENGTH = 16;
    private static final int HEAD_BYTES = 1 << 16;

    private final String group;
    private final TopicPartition partition;
    private final String state;

    private SentPosition(String group, TopicPartition partition, String state) {
        this.group = group;
        this.partition = partition;
        this.state = state;
    }

    /**
     * That of files and a topic.
     *
     * @param applicationId what its name begins with
     * @throws IOException if a file cannot be looked at
     */
    static SentPosition of(String applicationId, String topic, List<String> files) throws IOException {
        StringBuilder names = new StringBuilder(topic);
        MessageDigest state = sha256();
        for (String file : files) {
            boolean isStream = file.equals("-");
            names.append('\n')
                    .append(isStream ? file : Path.of(file).toAbsolutePath().normalize());
            if (!isStream) {
                state.update(state(Path.of(file)));
            }
        }
        String id = hex(sha256().digest(names.toString().getBytes(StandardCharsets.UTF_8)));
        return new SentPosition(applicationId + "-feed-" + id, new TopicPartition(topic, 0), hex(state.digest()));
    }

    /** Size, time of the last change and the first bytes: of a changed file, a position says nothing. */
    private static byte[] state(Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        MessageDigest digest = sha256();
        digest.update(
                (attributes.size() + " " + attributes.lastModifiedTime().toMillis()).getBytes(StandardCharsets.UTF_8));
        if (attributes.isRegularFile()) {
            try (InputStream in = Files.newInputStream(file)) {
                digest.update(in.readNBytes(HEAD_BYTES));
            }
        }
        return digest.digest();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static String hex(byte[] digest) {
        return HexFormat.of().formatHex(digest).substring(0, ID_LENGTH);
    }

    Refusals refusals() {
        return new Refusals(group, partition.topic());
    }

    /** Of the consumer group, and of the transactions. */
    String group() {
        return group;
    }

    /**
     * How many records of the files are sent.
     *
     * @throws PublishException if they were others then, or the cluster does not tell
     */
    long read(Admin admin) throws InterruptedException {
        OffsetAndMetadata found = found(admin);
        if (found == null) {
            return 0;
        }
        if (!found.metadata().equals(state)) {
            throw new PublishException(
                    "expected the files as they were when " + found.offset() + " of their records were sent, found them"
                            + " changed: --from-start sends all, also those that were sent before",
                    null);
        }
        return found.offset();
    }

    private @Nullable OffsetAndMetadata found(Admin admin) throws InterruptedException {
        try {
            return admin.listConsumerGroupOffsets(
                            Map.of(group, new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(partition))),
                            new ListConsumerGroupOffsetsOptions().requireStable(true))
                    .partitionsToOffsetAndMetadata(group)
                    .get()
                    .get(partition);
        } catch (ExecutionException e) {
            throw refusals().explained(e, AclOperation.READ, "expected to read how far the files were sent");
        }
    }

    /** As it is committed once so many records are sent. */
    Map<TopicPartition, OffsetAndMetadata> at(long records) {
        return Map.of(partition, new OffsetAndMetadata(records, state));
    }
}
