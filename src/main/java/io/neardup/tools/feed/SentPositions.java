package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.engine.text.Hash128;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.ClusterAdmin.FoundTopic;
import io.neardup.service.cluster.CommittedRecords;
import io.neardup.service.cluster.StartupException;
import io.neardup.service.cluster.Topics;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
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
 * How far files were sent to a topic, file by file: a file is its path. The positions are written in the transaction of
 * the records that they tell of: so neither is there without the other. They are in a topic of their own, as a group's
 * offsets would not do: the metadata of one hold some hundred files of a folder that may have a million; a group for
 * each file would be a request for each; and the cluster forgets them after some days, while the folder still grows.
 *
 * <p>The topic is compacted, of one partition. Keys are {@code file TOPIC PATH} and {@code feed ID}, values begin with
 * a version. A feed that is not refused notes there what it is to send. Then it shuts out each feed that has noted some
 * of the same before, by its transactional id, and only then takes the positions for the last that there are. Of two
 * that begin at once the one whose note is later sees the earlier. Feeds that share no file go on side by side.
 *
 * <p>In memory, a file that was sent is some hundred bytes. Not thread-safe, but for {@link #startFile} and
 * {@link #currentFile}, which are of the thread that reads.
 */
final class SentPositions {
    private static final String VERSION = "1 ";
    private static final String FEED = "feed ";
    /** Of a topic and paths, which may have any other character. */
    private static final String SEPARATOR = "\0";
    /** Longer than the cluster keeps a transaction open whose feed was killed. */
    private static final int STALLED_SECONDS = 120;

    private static final int HEAD_BYTES = 1 << 16;
    private static final int NAMED_MAX = 3;

    private final Publication.Options options;
    private final Set<String> roots = new LinkedHashSet<>();
    private final String id;
    private final TopicPartition partition;
    private final String filePrefix;
    private long readTo;
    /** Feeds of some of the same files that were shut out, or are to be, with the offsets of their notes. */
    private final Map<String, Long> feeds = new HashMap<>();
    /** By the hash of the path. */
    private final Map<Long, Kept> kept = new HashMap<>();

    private final Set<Long> listed = new HashSet<>();
    private final List<String> sentAgain = new ArrayList<>();
    private final List<String> changed = new ArrayList<>();

    private SentFile current = new SentFile(null, State.NONE);
    private SentFile last = current;
    private final Set<SentFile> touched = new LinkedHashSet<>();

    /**
     * What a file was like: of a changed one, a position says nothing.
     *
     * @param head the hash of its first bytes
     */
    record State(long size, long modifiedMillis, long head) {
        private static final State NONE = new State(0, 0, 0);

        private static State of(Path file) throws IOException {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            try (InputStream in = Files.newInputStream(file)) {
                long head = hash(in.readNBytes(HEAD_BYTES));
                return new State(
                        attributes.size(), attributes.lastModifiedTime().toMillis(), head);
            }
        }

        /** As far as that can be told without reading the file. */
        private boolean isOf(Path file) throws IOException {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return attributes.size() == size && attributes.lastModifiedTime().toMillis() == modifiedMillis;
        }
    }

    /** @param isWhole whether that is all of it */
    private record Kept(long records, State state, boolean isWhole) {
        static Kept of(String value) {
            String[] parts = value.split(" ", -1);
            State state =
                    new State(Long.parseLong(parts[1]), Long.parseLong(parts[2]), Long.parseUnsignedLong(parts[3], 16));
            return new Kept(Long.parseLong(parts[0]), state, parts[4].equals("whole"));
        }

        String value() {
            return records + " " + state.size + " " + state.modifiedMillis + " " + Long.toHexString(state.head)
                    + (isWhole ? " whole" : " part");
        }
    }

    /** A file that is being sent, or a stream, which has no position and no path here. */
    static final class SentFile {
        private final @Nullable String path;
        private final State state;
        /** As many of its next records were. */
        private long sentBefore;

        private long records;
        private boolean isWhole;

        SentFile(@Nullable String path, State state) {
            this.path = path;
            this.state = state;
        }
    }

    /** Those of files and a topic; nothing is read yet. */
    SentPositions(Publication.Options options) {
        this.options = options;
        StringBuilder names = new StringBuilder(options.topic());
        for (String file : options.files()) {
            boolean isStream = Feed.isStream(file);
            names.append(SEPARATOR).append(isStream ? file : path(file));
            if (!isStream) {
                roots.add(path(file));
            }
        }
        this.id = options.applicationId() + "-feed-" + String.format("%016x", hash(names.toString()));
        this.partition = new TopicPartition(options.applicationId() + "-feed-positions", 0);
        this.filePrefix = "file " + options.topic() + " ";
    }

    private static String path(String file) {
        return Path.of(file).toAbsolutePath().normalize().toString();
    }

    /** Of the transactions. */
    String id() {
        return id;
    }

    // ---- what was sent before

    /** Whether something of it is to be sent; of a file that is named twice, once. */
    boolean wants(String file) throws IOException {
        if (Feed.isStream(file)) {
            return true;
        }
        String path = path(file);
        if (!listed.add(hash(path))) {
            return false;
        }
        if (options.fromStart()) {
            sentAgain.add(path);
            return true;
        }
        Kept known = kept.get(hash(path));
        if (known == null) {
            return true;
        }
        try {
            if (!known.state.isOf(Path.of(file))) {
                changed.add(changed.size() < NAMED_MAX ? changed(file, known) : "");
            }
        } catch (NoSuchFileException gone) {
            return false;
        }
        return !known.isWhole;
    }

    private static String changed(String file, Kept known) {
        return file + " has changed since " + known.records + " of its records were sent";
    }

    private static StartupException refused(String changes) {
        return new StartupException("expected the files as they were when they were sent, found that " + changes
                + ": --from-start sends all given files again from their start, so give it only the changed ones");
    }

    /**
     * All files must have been asked about.
     *
     * @throws StartupException if one has changed since it was sent
     */
    void requireUnchanged() {
        if (!changed.isEmpty()) {
            int more = changed.size() - NAMED_MAX;
            throw refused(String.join(", ", changed.subList(0, Math.min(changed.size(), NAMED_MAX)))
                    + (more > 0 ? ", and " + more + " more have" : ""));
        }
    }

    long before() {
        return options.fromStart()
                ? 0
                : listed.stream()
                        .map(kept::get)
                        .filter(Objects::nonNull)
                        .mapToLong(Kept::records)
                        .sum();
    }

    // ---- what is sent now

    /** What is read from now on. */
    void startFile(String file) throws IOException {
        current = Feed.isStream(file)
                ? new SentFile(null, State.NONE)
                : new SentFile(path(file), State.of(Path.of(file)));
    }

    SentFile currentFile() {
        return current;
    }

    /**
     * Counts the next record of a file, into the transaction if it was not sent before.
     *
     * @return whether it is to be sent
     * @throws StartupException if the file has changed since it was sent
     */
    boolean countNext(SentFile file) {
        if (file != last) {
            endOfFile();
            last = file;
            String path = file.path;
            Kept known = options.fromStart() || path == null ? null : kept.get(hash(path));
            if (path != null && known != null && !known.state.equals(file.state)) {
                throw refused(changed(path, known));
            }
            file.sentBefore = known == null ? 0 : known.records;
            file.records = file.sentBefore;
        }
        if (file.sentBefore > 0) {
            file.sentBefore--;
            return false;
        }
        file.records++;
        touched.add(file);
        return true;
    }

    /** Of the last one, if all that was sent of it was met again. */
    void endOfFile() {
        if (!last.isWhole && last.sentBefore == 0) {
            last.isWhole = true;
            touched.add(last);
        }
    }

    /**
     * Writes how far the files of the transaction are sent, into the transaction; into the first also that those are
     * not that are sent again, so that after a stop the rest is not taken for sent.
     */
    void writePositions(Producer<byte[], byte[]> producer) {
        if (!touched.isEmpty()) {
            sentAgain.stream()
                    .filter(path -> kept.containsKey(hash(path)))
                    .forEach(path -> forget(producer, filePrefix + path));
            sentAgain.clear();
        }
        for (SentFile file : touched) {
            if (file.path != null) {
                String value = new Kept(file.records, file.state, file.isWhole).value();
                Future<RecordMetadata> unused = send(producer, filePrefix + file.path, VERSION + value);
            }
        }
        touched.clear();
    }

    /** Commits what is left to note, and that this feed is over, as those are that it has shut out. */
    void close(Producer<byte[], byte[]> producer) {
        if (!roots.isEmpty()) {
            producer.beginTransaction();
            writePositions(producer);
            feeds.put(id, 0L);
            feeds.keySet().forEach(feed -> forget(producer, FEED + feed));
            producer.commitTransaction();
        }
    }

    // ---- the topic

    /**
     * Makes the topic, if that is missing, as Kafka Streams makes its own, and reads how far the files are sent by now;
     * waits for nobody and shuts out nobody.
     *
     * @throws StartupException if it would not keep positions
     */
    void readPositions(ClusterAdmin admin) {
        if (!roots.isEmpty()) {
            prepare(admin);
            readCommitted(admin);
        }
    }

    void prepare(ClusterAdmin admin) {
        String name = partition.topic();
        if (admin.findNow(List.of(name)).isEmpty()) {
            create(admin);
            return;
        }
        String policy = Topics.value(admin.settings(name), TopicConfig.CLEANUP_POLICY_CONFIG);
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
            throw BulkProducer.refused(id, partition.topic(), e, AclOperation.CREATE, expected);
        }
    }

    void readCommitted(ClusterAdmin admin) {
        try {
            // A broker may learn late of a topic that was just made.
            Map<String, FoundTopic> unused = admin.findCreated(List.of(partition.topic()));
            read(admin.committedEnds(List.of(partition)));
        } catch (KafkaException e) {
            throw notRead(e, AclOperation.READ);
        }
    }

    /** Shuts out earlier feeds of the same files, and reads how far these were sent: from now on, that is final. */
    void fenceOthers(Producer<byte[], byte[]> producer, ClusterAdmin admin) throws InterruptedException {
        if (roots.isEmpty()) {
            return;
        }
        AclOperation operation = AclOperation.WRITE;
        try {
            producer.beginTransaction();
            String files = options.topic() + SEPARATOR + String.join(SEPARATOR, roots);
            Future<RecordMetadata> note = send(producer, FEED + id, VERSION + files);
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
            throw notRead(e, operation);
        }
    }

    private RuntimeException notRead(Exception e, AclOperation operation) {
        String expected = "expected to read from the topic " + partition.topic() + " how far files were sent";
        return BulkProducer.refused(id, partition.topic(), e, operation, expected);
    }

    /** Goes on to this end: where it is after transactions that are open, once these have ended. */
    private void read(Map<TopicPartition, Long> end) {
        new CommittedRecords(options.clients(), STALLED_SECONDS).read(Map.of(partition, readTo), end, this::read);
        readTo = Objects.requireNonNull(end.get(partition));
    }

    void read(ConsumerRecord<byte[], byte[]> record) {
        String key = new String(record.key(), UTF_8);
        String value = record.value() == null ? null : new String(record.value(), UTF_8);
        if (value != null && !value.startsWith(VERSION)) {
            throw new StartupException(
                    "topic " + record.topic() + ", offset " + record.offset() + ": expected version " + VERSION.strip()
                            + " of what is kept of files, found another: feed with the release that wrote it");
        }
        String versioned = value == null ? null : value.substring(VERSION.length());
        if (key.startsWith(FEED)) {
            readFeed(key.substring(FEED.length()), versioned, record.offset());
        } else if (key.startsWith(filePrefix)) {
            readFile(key.substring(filePrefix.length()), versioned);
        }
    }

    private void readFile(String path, @Nullable String value) {
        if (value == null) {
            kept.remove(hash(path));
        } else if (isUnder(path, roots)) {
            kept.put(hash(path), Kept.of(value));
        }
    }

    private void readFeed(String other, @Nullable String value, long offset) {
        feeds.remove(other);
        if (value != null && !other.equals(id)) {
            List<String> parts = List.of(value.split(SEPARATOR, -1));
            Set<String> theirs = new HashSet<>(parts.subList(1, parts.size()));
            boolean isShared = theirs.stream().anyMatch(root -> isUnder(root, roots))
                    || roots.stream().anyMatch(root -> isUnder(root, theirs));
            if (isShared && parts.get(0).equals(options.topic())) {
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

    private void forget(Producer<byte[], byte[]> producer, String key) {
        Future<RecordMetadata> unused = send(producer, key, null);
    }

    /** Into the transaction, whose commit fails where this does. */
    private Future<RecordMetadata> send(Producer<byte[], byte[]> producer, String key, @Nullable String value) {
        byte[] bytes = value == null ? null : value.getBytes(UTF_8);
        return producer.send(new ProducerRecord<>(partition.topic(), 0, key.getBytes(UTF_8), bytes));
    }

    // ---- hashes

    private static long hash(String text) {
        return hash(text.getBytes(UTF_8));
    }

    private static long hash(byte[] bytes) {
        return ByteBuffer.wrap(new Hash128().of(bytes)).getLong();
    }
}
