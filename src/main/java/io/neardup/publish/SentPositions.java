package io.neardup.publish;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.feed.Feed;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
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
final class SentPositions implements Feed.Selection {
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
    private long before;

    private SentFile opened = new SentFile(null, 0, 0);
    private SentFile last = opened;
    private final Set<SentFile> touched = new LinkedHashSet<>();

    /** @param isWhole whether that is all of it */
    private record Kept(long records, long state, boolean isWhole) {
        static Kept of(String value) {
            String[] parts = value.split(" ", -1);
            return new Kept(Long.parseLong(parts[0]), Long.parseUnsignedLong(parts[1], 16), parts[2].equals("whole"));
        }

        String value() {
            return records + " " + Long.toHexString(state) + (isWhole ? " whole" : " part");
        }
    }

    /** A file that is being sent, or the standard input, which has no path. */
    static final class SentFile {
        private final @Nullable String path;
        private final long state;
        private long passedOver;
        private long records;
        private boolean isWhole;

        SentFile(@Nullable String path, long state, long before) {
            this.path = path;
            this.state = state;
            this.passedOver = before;
            this.records = before;
        }

        /** Whether its next record was sent before; for the thread that reads. */
        boolean isSentBefore() {
            return passedOver > 0 && passedOver-- > 0;
        }
    }

    /** Those of files and a topic; nothing is read yet. */
    SentPositions(PublishOptions options) {
        this.fromStart = options.fromStart();
        StringBuilder names = new StringBuilder(options.topic());
        for (String file : options.files()) {
            boolean isStream = isStream(file);
            names.append('\n').append(isStream ? file : path(file));
            if (!isStream) {
                roots.add(path(file));
            }
        }
        this.id = options.applicationId() + "-feed-" + String.format("%016x", hash(bytes(names)));
        this.topic = new PositionTopic(options, id, roots, this::read);
    }

    private static boolean isStream(String file) {
        return file.equals("-");
    }

    private static String path(String file) {
        return Path.of(file).toAbsolutePath().normalize().toString();
    }

    /** Of the transactions. */
    String id() {
        return id;
    }

    // ---- what was sent before

    /** Makes the topic, if that is missing. The standard input has no position. */
    void prepare(Admin admin) throws InterruptedException {
        if (!roots.isEmpty()) {
            topic.prepare(admin);
        }
    }

    /** Shuts out earlier feeds of the same files, and reads how far these were sent. */
    void take(Producer<byte[], byte[]> producer, Admin admin) throws InterruptedException {
        if (!roots.isEmpty()) {
            topic.take(producer, admin);
        }
    }

    private void read(String path, @Nullable String value) {
        if (value == null) {
            kept.remove(hash(path));
        } else {
            kept.put(hash(path), Kept.of(value));
        }
    }

    /** Whether something of it is to be sent; of a file that is named twice, once. */
    @Override
    public boolean wants(String file) throws IOException {
        String path = path(file);
        if (!listed.add(hash(path))) {
            return false;
        }
        Kept known = kept.get(hash(path));
        if (known == null) {
            return true;
        }
        if (fromStart) {
            kept.remove(hash(path));
            sentAgain.add(file);
            return true;
        }
        before += known.records;
        try {
            if (state(file) != known.state) {
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

    private static PublishException refused(String changes) {
        return new PublishException(
                "expected the files as they were when they were sent, found that " + changes
                        + ": --from-start sends all of the files that are given, also what was sent before; so give it"
                        + " those that have changed alone",
                null);
    }

    /**
     * How many records of the files were sent before; all files must have been asked about.
     *
     * @throws PublishException if one has changed since
     */
    long before(Producer<byte[], byte[]> producer) {
        if (!changed.isEmpty()) {
            int more = changed.size() - NAMED_MAX;
            throw refused(String.join(", ", changed.subList(0, Math.min(changed.size(), NAMED_MAX)))
                    + (more > 0 ? ", and " + more + " more have" : ""));
        }
        if (!sentAgain.isEmpty()) {
            // At once, so that after a stop the rest is not taken for sent.
            producer.beginTransaction();
            sentAgain.forEach(file -> topic.keep(producer, path(file), null));
            producer.commitTransaction();
        }
        return before;
    }

    // ---- what is sent now

    @Override
    public void opens(String file) throws IOException {
        if (isStream(file)) {
            opened = new SentFile(null, 0, 0);
            return;
        }
        String path = path(file);
        Kept known = kept.get(hash(path));
        long state = state(file);
        if (known != null && known.state != state) {
            throw refused(changed(file, known));
        }
        opened = new SentFile(path, state, known == null ? 0 : known.records);
    }

    /** What is read now. */
    SentFile opened() {
        return opened;
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

    /** The file of the last record has no more. */
    void endOfFile() {
        if (!last.isWhole) {
            last.isWhole = true;
            touched.add(last);
        }
    }

    /** Writes how far the files of the transaction are sent, into the transaction. */
    void note(Producer<byte[], byte[]> producer) {
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

    /** Size, time of the last change and the first bytes: of a changed file, a position says nothing. */
    private static long state(String name) throws IOException {
        Path file = Path.of(name);
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        byte[] head = {};
        if (attributes.isRegularFile()) {
            try (InputStream in = Files.newInputStream(file)) {
                head = in.readNBytes(HEAD_BYTES);
            }
        }
        String found = attributes.size() + " " + attributes.lastModifiedTime().toMillis() + " ";
        return hash(bytes(found), head);
    }

    private static long hash(String path) {
        return hash(bytes(path));
    }

    private static byte[] bytes(Object text) {
        return text.toString().getBytes(UTF_8);
    }

    private static long hash(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (byte[] part : parts) {
                digest.update(part);
            }
            return ByteBuffer.wrap(digest.digest()).getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
