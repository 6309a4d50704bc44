package io.neardup.tools.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.engine.text.Hash128;
import io.neardup.service.cluster.ClusterAdmin;
import io.neardup.service.cluster.StartupException;
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
import java.util.Set;
import org.apache.kafka.clients.producer.Producer;
import org.jspecify.annotations.Nullable;

/**
 * How far files were sent to a topic, file by file: a file is its path. The positions are written in the transaction of
 * the records that they tell of: so neither is there without the other. They are in a topic of their own, as a group's
 * offsets would not do: the metadata of one hold some hundred files of a folder that may have a million; a group for
 * each file would be a request for each; and the cluster forgets them after some days, while the folder still grows.
 *
 * <p>In memory, a file that was sent is some hundred bytes. Not thread-safe, but for {@link #opens} and
 * {@link #opened}, which are of the thread that reads.
 */
final class SentPositions {
    private static final int HEAD_BYTES = 1 << 16;
    private static final int NAMED_MAX = 3;

    private final boolean fromStart;
    private final String id;
    private final Set<String> roots = new LinkedHashSet<>();
    private final PositionTopic topic;
    /** By the hash of the path. */
    private final Map<Long, Kept> kept = new HashMap<>();

    private final Set<Long> listed = new HashSet<>();
    private final List<String> sentAgain = new ArrayList<>();
    private final List<String> changed = new ArrayList<>();

    private SentFile opened = new SentFile(null, State.NONE);
    private SentFile met = opened;
    private SentFile last = opened;
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
        this.fromStart = options.fromStart();
        StringBuilder names = new StringBuilder(options.topic());
        for (String file : options.files()) {
            boolean isStream = Feed.isStream(file);
            names.append(PositionTopic.SEPARATOR).append(isStream ? file : path(file));
            if (!isStream) {
                roots.add(path(file));
            }
        }
        this.id = options.applicationId() + "-feed-" + String.format("%016x", hash(bytes(names)));
        this.topic = new PositionTopic(options, id, roots, this::read);
    }

    private static String path(String file) {
        return Path.of(file).toAbsolutePath().normalize().toString();
    }

    String id() {
        return id;
    }

    // ---- what was sent before

    /** Makes the topic, if that is missing, and reads how far the files are sent by now. */
    void look(ClusterAdmin admin) {
        if (!roots.isEmpty()) {
            topic.prepare(admin);
            topic.look(admin);
        }
    }

    /** Shuts out earlier feeds of the same files, and reads how far these were sent: from now on, that is final. */
    void take(Producer<byte[], byte[]> producer, ClusterAdmin admin) throws InterruptedException {
        if (!roots.isEmpty()) {
            topic.take(producer, admin);
        }
    }

    void read(String path, @Nullable String value) {
        if (value == null) {
            kept.remove(hash(path));
        } else {
            kept.put(hash(path), Kept.of(value));
        }
    }

    /** Whether something of it is to be sent; of a file that is named twice, once. */
    boolean wants(String file) throws IOException {
        if (Feed.isStream(file)) {
            return true;
        }
        String path = path(file);
        if (!listed.add(hash(path))) {
            return false;
        }
        if (fromStart) {
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
                + ": --from-start sends all of the files that are given, also what was sent before; so give it"
                + " those that have changed alone");
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
        return fromStart
                ? 0
                : listed.stream()
                        .map(kept::get)
                        .filter(Objects::nonNull)
                        .mapToLong(Kept::records)
                        .sum();
    }

    // ---- what is sent now

    /** What is read from now on. */
    void opens(String file) throws IOException {
        opened = Feed.isStream(file)
                ? new SentFile(null, State.NONE)
                : new SentFile(path(file), State.of(Path.of(file)));
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
            String path = file.path;
            Kept known = fromStart || path == null ? null : kept.get(hash(path));
            if (path != null && known != null && !known.state.equals(file.state)) {
                throw refused(changed(path, known));
            }
            file.records = known == null ? 0 : known.records;
            file.sentBefore = file.records;
        }
        return file.sentBefore > 0 && file.sentBefore-- > 0;
    }

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

    /**
     * Writes how far the files of the transaction are sent, into the transaction; into the first also that those are
     * not that are sent again, so that after a stop the rest is not taken for sent.
     */
    void note(Producer<byte[], byte[]> producer) {
        if (!touched.isEmpty()) {
            sentAgain.stream()
                    .filter(path -> kept.containsKey(hash(path)))
                    .forEach(path -> topic.keep(producer, path, null));
            sentAgain.clear();
        }
        for (SentFile file : touched) {
            if (file.path != null) {
                topic.keep(producer, file.path, new Kept(file.records, file.state, file.isWhole).value());
            }
        }
        touched.clear();
    }

    /** Commits what is left to note, and that this feed is over. */
    void close(Producer<byte[], byte[]> producer) {
        if (!roots.isEmpty()) {
            producer.beginTransaction();
            note(producer);
            topic.over(producer);
            producer.commitTransaction();
        }
    }

    // ---- hashes

    private static long hash(String path) {
        return hash(bytes(path));
    }

    private static byte[] bytes(Object text) {
        return text.toString().getBytes(UTF_8);
    }

    private static long hash(byte[] bytes) {
        return ByteBuffer.wrap(new Hash128().of(bytes)).getLong();
    }
}
