package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.ClusterAdmin.FoundTopic;
import io.neardup.service.cluster.CommittedRecords;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.Topics;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.config.TopicConfig;
import org.jspecify.annotations.Nullable;

/**
 * How far files were sent to a topic, file by file: a file is its path. The positions are written in the transaction of
 * the records that they tell of: so neither is there without the other. They are in a compacted topic of their own, as
 * a group's offsets would not do: the metadata of one hold some hundred files of a folder that may have a million; a
 * group for each file would be a request for each; and the cluster forgets them after some days, while the folder still
 * grows. Keys are {@code file TOPIC PATH}, values begin with a version.
 *
 * <p>The same command shuts out an earlier call of it that still runs, by its transactional id. In memory, a file that
 * was sent is some hundred bytes. Not thread-safe, but for {@link #opens} and {@link #opened}, which are of the thread
 * that reads.
 */
final class SentPositions implements Feed.Selection {
    private static final String VERSION = "1 ";
    /** Longer than the cluster keeps a transaction open whose feed was killed. */
    private static final int STALLED_SECONDS = 120;

    private final Publication.Options options;
    private final String id;
    private final TopicPartition partition;
    /** What keys of files begin with that are sent to the same topic. */
    private final String filePrefix;

    private final Set<String> roots = new LinkedHashSet<>();
    /** By path. */
    private final Map<String, SentFile> kept = new HashMap<>();

    private final Set<String> listed = new HashSet<>();
    private long readTo;

    private SentFile opened = new SentFile("", State.NONE);
    private SentFile met = opened;
    private SentFile last = opened;
    private final Set<SentFile> touched = new LinkedHashSet<>();

    /** What a file was like: of a changed one, a position says nothing. */
    record State(long size, long modifiedMillis) {
        private static final State NONE = new State(0, 0);

        private static State of(String file) throws IOException {
            BasicFileAttributes attributes = Files.readAttributes(Path.of(file), BasicFileAttributes.class);
            return new State(attributes.size(), attributes.lastModifiedTime().toMillis());
        }
    }

    /** A file that is being sent, or was; a stream, which has no position, has no path here either. */
    static final class SentFile {
        private final String path;
        private final State state;
        private long sentBefore;
        private long records;
        private boolean isWhole;

        SentFile(String path, State state) {
            this.path = path;
            this.state = state;
        }

        static SentFile of(String path, String value) {
            String[] parts = value.split(" ", -1);
            SentFile file = new SentFile(path, new State(Long.parseLong(parts[1]), Long.parseLong(parts[2])));
            file.records = Long.parseLong(parts[0]);
            file.isWhole = parts[4].equals("whole");
            return file;
        }

        String value() {
            // Earlier releases have the hash of the first bytes in place of the 0.
            return records + " " + state.size + " " + state.modifiedMillis + " 0 " + (isWhole ? "whole" : "part");
        }
    }

    /** Those of files and a topic; nothing is read yet. */
    SentPositions(Publication.Options options) {
        this.options = options;
        StringBuilder names = new StringBuilder(options.topic());
        for (String file : options.files()) {
            boolean isStream = isStream(file);
            names.append('\0').append(isStream ? file : path(file));
            if (!isStream) {
                roots.add(path(file));
            }
        }
        this.id = options.applicationId() + "-feed-" + hash(names.toString());
        this.partition = new TopicPartition(options.applicationId() + "-feed-positions", 0);
        this.filePrefix = "file " + options.topic() + " ";
    }

    /** The standard input, or a pipe, which is another each time it is opened. */
    private static boolean isStream(String file) {
        Path path = Path.of(file);
        return file.equals("-") || (!Files.isRegularFile(path) && !Files.isDirectory(path) && Files.exists(path));
    }

    private static String path(String file) {
        return Path.of(file).toAbsolutePath().normalize().toString();
    }

    /** The transactional id. */
    String id() {
        return id;
    }

    // ---- what was sent before

    /**
     * Makes the topic, if that is missing, and reads how far the files are sent by now.
     *
     * @throws StartupException if it would not keep positions
     */
    void look(ClusterAdmin admin) {
        if (roots.isEmpty()) {
            return;
        }
        String name = partition.topic();
        if (admin.findNow(List.of(name)).isEmpty()) {
            create(admin);
        } else {
            Config config = Objects.requireNonNull(admin.settings(List.of(name)).get(name));
            String policy = Topics.value(config, TopicConfig.CLEANUP_POLICY_CONFIG);
            if (!policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
                throw new StartupException("topic " + name + ": expected cleanup.policy=compact, found " + policy
                        + ", which forgets files that were sent: change it with kafka-configs.sh --alter");
            }
        }
        // A broker may learn late of a topic that was just made.
        Map<String, FoundTopic> unused = admin.findCreated(List.of(name));
        read(admin.committedEnds(List.of(partition)));
    }

    private void create(ClusterAdmin admin) {
        try {
            admin.create(new NewTopic(partition.topic(), Optional.of(1), Optional.empty())
                    .configs(Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT)));
        } catch (StartupException e) {
            String expected = "expected the topic " + partition.topic() + ", which keeps how far files were sent";
            throw BulkProducer.refused(id, partition.topic(), e, AclOperation.CREATE, expected);
        }
    }

    /** Once earlier calls of the same command are shut out: from now on, how far the files are sent is final. */
    void lookAgain(ClusterAdmin admin) {
        if (!roots.isEmpty()) {
            read(admin.ends(List.of(partition)));
        }
    }

    /** Goes on to this end: where it is behind transactions that are open, once these have ended. */
    private void read(Map<TopicPartition, Long> end) {
        try {
            new CommittedRecords(options.clients(), STALLED_SECONDS).read(Map.of(partition, readTo), end, this::read);
            readTo = Objects.requireNonNull(end.get(partition));
        } catch (KafkaException e) {
            String expected = "expected to read from the topic " + partition.topic() + " how far files were sent";
            throw BulkProducer.refused(id, partition.topic(), e, AclOperation.READ, expected);
        }
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
        if (key.startsWith(filePrefix)) {
            read(key.substring(filePrefix.length()), value == null ? null : value.substring(VERSION.length()));
        }
    }

    void read(String path, @Nullable String value) {
        if (value == null) {
            kept.remove(path);
        } else if (isUnderRoot(path)) {
            kept.put(path, SentFile.of(path, value));
        }
    }

    /** By the text of paths alone: those of another system may be none here. */
    private boolean isUnderRoot(String path) {
        boolean isUnder = roots.contains(path);
        for (int end = path.lastIndexOf(File.separatorChar); end >= 0 && !isUnder; ) {
            isUnder = roots.contains(path.substring(0, end)) || roots.contains(path.substring(0, end + 1));
            end = path.lastIndexOf(File.separatorChar, end - 1);
        }
        return isUnder;
    }

    /**
     * Whether something of it is to be sent; of a file that is named twice, once.
     *
     * @throws StartupException if it has changed since it was sent
     */
    @Override
    public boolean wants(String file) throws IOException {
        if (isStream(file)) {
            return true;
        }
        String path = path(file);
        if (!listed.add(path)) {
            return false;
        }
        SentFile known = options.fromStart() ? null : kept.get(path);
        try {
            if (known != null && !State.of(file).equals(known.state)) {
                throw changed(known);
            }
        } catch (NoSuchFileException gone) {
            return false;
        }
        return known == null || !known.isWhole;
    }

    private static StartupException changed(SentFile known) {
        return new StartupException("expected the files as they were when they were sent, found that " + known.path
                + " has changed since " + known.records + " of its records were sent: --from-start sends all of the"
                + " files that are given, also what was sent before; so give it those that have changed alone");
    }

    /** How many records of the files were sent before. */
    long before() {
        return options.fromStart()
                ? 0
                : listed.stream()
                        .map(kept::get)
                        .filter(Objects::nonNull)
                        .mapToLong(known -> known.records)
                        .sum();
    }

    // ---- what is sent now

    @Override
    public void opens(String file) throws IOException {
        opened = isStream(file) ? new SentFile("", State.NONE) : new SentFile(path(file), State.of(file));
    }

    SentFile opened() {
        return opened;
    }

    /**
     * Whether its next record was sent before.
     *
     * @throws StartupException if the file has changed since
     */
    boolean isSentBefore(SentFile file) {
        if (file != met) {
            met = file;
            SentFile known = options.fromStart() ? null : kept.get(file.path);
            if (known != null && !known.state.equals(file.state)) {
                throw changed(known);
            }
            file.records = known == null ? 0 : known.records;
            file.sentBefore = file.records;
        }
        return file.sentBefore > 0 && file.sentBefore-- > 0;
    }

    /** A record of it is in the transaction. */
    void took(SentFile file) {
        if (file != last) {
            endOfFile();
            last = file;
        }
        file.records++;
        touched.add(file);
    }

    void endOfFile() {
        if (!last.isWhole) {
            last.isWhole = true;
            touched.add(last);
        }
    }

    /** Writes how far the files of the transaction are sent, into the transaction. */
    void note(Producer<byte[], byte[]> producer) {
        touched.removeIf(file -> file.path.isEmpty());
        for (SentFile file : touched) {
            byte[] key = (filePrefix + file.path).getBytes(UTF_8);
            byte[] value = (VERSION + file.value()).getBytes(UTF_8);
            // What fails lets the commit fail.
            Future<?> unused = producer.send(new ProducerRecord<>(partition.topic(), 0, key, value));
        }
        touched.clear();
    }

    private static String hash(String names) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(names.getBytes(UTF_8));
            return HexFormat.of().formatHex(hash, 0, Long.BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
