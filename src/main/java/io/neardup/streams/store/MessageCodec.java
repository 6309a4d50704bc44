package io.neardup.streams.store;

import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.DocumentRefs;
import io.neardup.engine.protocol.Message;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.CheckCandidates;
import io.neardup.engine.protocol.Message.CheckId;
import io.neardup.engine.protocol.Message.CheckLookup;
import io.neardup.engine.protocol.Message.CheckVerified;
import io.neardup.engine.protocol.Message.CheckVerify;
import io.neardup.engine.protocol.Message.Dismissal;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Message.Lookup;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.Message.NewVersion;
import io.neardup.engine.protocol.Message.Remove;
import io.neardup.engine.protocol.Message.Started;
import io.neardup.engine.protocol.Message.ToBands;
import io.neardup.engine.protocol.Message.ToChecker;
import io.neardup.engine.protocol.Message.ToCoordinator;
import io.neardup.engine.protocol.Message.TombstoneArrived;
import io.neardup.engine.protocol.Message.Unknown;
import io.neardup.engine.protocol.Message.Verified;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages to one receiver as one record's value: the version, then message after message, each a type and its fields.
 * Numbers are mostly small and take 1 byte then; a band key takes 8.
 */
public final class MessageCodec {
    /** Of the layout that this release writes and reads. */
    public static final int VERSION = 12;

    private static final int LOOKUP = 1;
    private static final int REMOVE = 2;
    private static final int CANDIDATES = 3;
    private static final int VERIFY = 4;
    private static final int VERIFIED = 5;
    private static final int STARTED = 6;
    private static final int DISMISSAL = 7;
    private static final int CHECK_LOOKUP = 8;
    private static final int CHECK_CANDIDATES = 9;
    private static final int CHECK_VERIFY = 10;
    private static final int CHECK_VERIFIED = 11;
    private static final int TOMBSTONE_ARRIVED = 12;
    private static final int NEW_VERSION = 13;
    private static final int UNKNOWN = 14;

    private static final int NEIGHBOUR_BYTES_MIN = 29;

    private MessageCodec() {}

    /** Messages to one receiver, written one behind the other as they come. Used again for batch after batch. */
    public static final class Batch {
        /**
         * A batch that is as long should go; the last message may make it longer by its own length. A little below the
         * 128 KB that a buffer has after it was doubled seven times: the next one is soon given back.
         */
        private static final int BYTES_FULL = 120 * 1024;
        /** A buffer that has grown beyond, for whole texts, is given back, if nobody says how much may be kept. */
        private static final int BYTES_KEPT = 16 * 1024;

        private ByteWriter bytes = empty();

        private static ByteWriter empty() {
            return new ByteWriter(1024).putByte(VERSION);
        }

        public void add(Message message) {
            put(bytes, message);
        }

        /** How long the value of the record would be; not 0, as an empty batch has a version. */
        public int bytes() {
            return bytes.size();
        }

        /** Whether it is long enough to go. */
        public boolean isFull() {
            return bytes.size() >= BYTES_FULL;
        }

        /** The value of a record with all messages; the batch is empty then. */
        public byte[] take() {
            return take(BYTES_KEPT);
        }

        /**
         * As {@link #take()}.
         *
         * @param bytesKept a buffer that has grown beyond is given back
         */
        public byte[] take(int bytesKept) {
            byte[] value = bytes.toBytes();
            bytes = bytes.capacity() > bytesKept ? empty() : bytes.clear().putByte(VERSION);
            return value;
        }
    }

    /** Reads messages to an index partition. */
    public static List<ToBands> decodeToBands(byte[] bytes) {
        return decode(bytes, ToBands.class);
    }

    /** Reads messages to a coordinator. */
    public static List<ToCoordinator> decodeToCoordinator(byte[] bytes) {
        return decode(bytes, ToCoordinator.class);
    }

    /** Reads messages to who checks documents. */
    public static List<ToChecker> decodeToChecker(byte[] bytes) {
        return decode(bytes, ToChecker.class);
    }

    private static <M extends Message> List<M> decode(byte[] bytes, Class<M> kind) {
        return ByteReader.decode("a batch of messages", VERSION, bytes, from -> {
            List<M> messages = new ArrayList<>();
            while (!from.atEnd()) {
                Message message = take(from);
                if (!kind.isInstance(message)) {
                    throw from.broken(
                            "a message " + kind.getSimpleName(),
                            message.getClass().getSimpleName());
                }
                messages.add(kind.cast(message));
            }
            return messages;
        });
    }

    // ---- writing

    private static void put(ByteWriter to, Message message) {
        if (message instanceof Lookup lookup) {
            to.putByte(LOOKUP)
                    .putRef(lookup.document())
                    .putSmall(lookup.epoch())
                    .putKeys(lookup.keys());
        } else if (message instanceof Remove remove) {
            to.putByte(REMOVE).putRef(remove.document()).putKeys(remove.keys());
        } else if (message instanceof Unknown unknown) {
            to.putByte(UNKNOWN).putRef(unknown.document()).putKeys(unknown.keys());
        } else if (message instanceof Candidates candidates) {
            to.putByte(CANDIDATES).putRef(candidates.document());
            to.putSmall(candidates.epoch()).putSmall(candidates.indexPartition());
            putFound(to, candidates.found());
        } else if (message instanceof Verify verify) {
            to.putByte(VERIFY).putRef(verify.asker()).putSmall(verify.epoch());
            to.putSmall(verify.askerArrivalMillis())
                    .putBytes(verify.evidence().bytes())
                    .putSketch(verify.sketch());
            putRefs(to, verify.candidates());
        } else if (message instanceof Verified verified) {
            putVerified(to.putByte(VERIFIED), verified);
        } else if (message instanceof Dismissal dismissal) {
            to.putByte(DISMISSAL).putRef(dismissal.asker()).putSmall(dismissal.epoch());
            putRefs(to, dismissal.noMatch());
            putRefs(to, dismissal.duplicates());
            putRefs(to, dismissal.redirects());
            putRefs(to, dismissal.truncated());
            putRefs(to, dismissal.deferred());
        } else if (message instanceof Started started) {
            to.putByte(STARTED).putSmall(started.coordinator());
        } else if (message instanceof TombstoneArrived tombstone) {
            to.putByte(TOMBSTONE_ARRIVED).putRecordKey(tombstone.key());
        } else if (message instanceof NewVersion version) {
            to.putByte(NEW_VERSION).putSmall(version.coordinator()).putText(version.id());
        } else {
            putOfCheck(to, message);
        }
    }

    private static void putOfCheck(ByteWriter to, Message message) {
        if (message instanceof CheckLookup lookup) {
            putCheck(to.putByte(CHECK_LOOKUP), lookup.check()).putKeys(lookup.keys());
        } else if (message instanceof CheckCandidates candidates) {
            putCheck(to.putByte(CHECK_CANDIDATES), candidates.check()).putSmall(candidates.indexPartition());
            putFound(to, candidates.found());
        } else if (message instanceof CheckVerify verify) {
            putCheck(to.putByte(CHECK_VERIFY), verify.check())
                    .putBytes(verify.evidence().bytes())
                    .putSketch(verify.sketch());
            putRefs(to, verify.candidates());
        } else if (message instanceof CheckVerified verified) {
            putCheck(to.putByte(CHECK_VERIFIED), verified.check())
                    .putSmall(verified.coordinator())
                    .putSmall(verified.compared())
                    .putSmall(verified.truncated())
                    .putSmall(verified.nearest().size());
            verified.nearest().forEach(neighbour -> putNeighbour(to, neighbour));
        }
    }

    private static ByteWriter putCheck(ByteWriter to, CheckId check) {
        return to.putLong(check.checker()).putSmall(check.number());
    }

    private static void putNeighbour(ByteWriter to, Neighbour neighbour) {
        to.putRef(neighbour.ref())
                .putText(neighbour.id())
                .putSimilarity(neighbour.similarity())
                .putFlag(neighbour.isPending());
    }

    private static void putFound(ByteWriter to, Found found) {
        to.putSmall(found.truncated()).putSmall(found.fullBuckets());
        putRefs(to, found.candidates());
    }

    private static void putRefs(ByteWriter to, DocumentRefs refs) {
        to.putSmall(refs.size());
        for (int i = 0; i < refs.size(); i++) {
            to.putRef(refs.get(i));
        }
    }

    private static void putVerified(ByteWriter to, Verified verified) {
        to.putRef(verified.asker()).putSmall(verified.epoch()).putRef(verified.candidate());
        String originalId = verified.originalId();
        to.putSimilarity(verified.similarity()).putFlag(originalId != null);
        if (originalId != null) {
            to.putText(originalId);
        }
        DocumentRef redirect = verified.redirect();
        to.putFlag(redirect != null);
        if (redirect != null) {
            to.putRef(redirect);
        }
    }

    // ---- reading

    private static Message take(ByteReader from) {
        int type = from.takeByte();
        return switch (type) {
            case LOOKUP -> new Lookup(from.takeRef(), takeNumber(from), from.takeKeys());
            case REMOVE -> new Remove(from.takeRef(), from.takeKeys());
            case CANDIDATES -> new Candidates(from.takeRef(), takeNumber(from), takeNumber(from), takeFound(from));
            case VERIFY -> takeVerify(from);
            case VERIFIED -> takeVerified(from);
            case STARTED -> new Started(takeCoordinator(from));
            case DISMISSAL ->
                new Dismissal(
                        from.takeRef(),
                        takeNumber(from),
                        takeRefs(from),
                        takeRefs(from),
                        takeRefs(from),
                        takeRefs(from),
                        takeRefs(from));
            case CHECK_LOOKUP -> new CheckLookup(takeCheck(from), from.takeKeys());
            case CHECK_CANDIDATES -> new CheckCandidates(takeCheck(from), takeNumber(from), takeFound(from));
            case CHECK_VERIFY ->
                new CheckVerify(takeCheck(from), Evidence.of(from.takeBytes()), from.takeSketch(), takeRefs(from));
            case CHECK_VERIFIED -> takeCheckVerified(from);
            case TOMBSTONE_ARRIVED -> new TombstoneArrived(from.takeRecordKey());
            case NEW_VERSION -> new NewVersion(takeCoordinator(from), from.takeText());
            case UNKNOWN -> new Unknown(from.takeRef(), from.takeKeys());
            default -> throw from.broken("a message type from 1 to 14", String.valueOf(type));
        };
    }

    private static int takeNumber(ByteReader from) {
        return from.takeInt(Integer.MAX_VALUE);
    }

    private static int takeCoordinator(ByteReader from) {
        return from.takeInt(DocumentRef.COORDINATORS_MAX - 1);
    }

    private static Found takeFound(ByteReader from) {
        int truncated = takeNumber(from);
        int fullBuckets = takeNumber(from);
        return new Found(takeRefs(from), truncated, fullBuckets);
    }

    private static CheckId takeCheck(ByteReader from) {
        return new CheckId(from.takeLong(), from.takeSmall());
    }

    private static CheckVerified takeCheckVerified(ByteReader from) {
        CheckId check = takeCheck(from);
        int coordinator = takeCoordinator(from);
        int compared = takeNumber(from);
        int truncated = takeNumber(from);
        List<Neighbour> nearest = new ArrayList<>();
        for (int more = from.takeCount(NEIGHBOUR_BYTES_MIN); more > 0; more--) {
            nearest.add(new Neighbour(from.takeRef(), from.takeText(), from.takeSimilarity(), from.takeFlag()));
        }
        return new CheckVerified(check, coordinator, nearest, compared, truncated);
    }

    private static Verify takeVerify(ByteReader from) {
        DocumentRef asker = from.takeRef();
        int epoch = takeNumber(from);
        long arrivalMillis = from.takeSmall();
        Evidence evidence = Evidence.of(from.takeBytes());
        return new Verify(asker, epoch, arrivalMillis, evidence, from.takeSketch(), takeRefs(from));
    }

    private static Verified takeVerified(ByteReader from) {
        DocumentRef asker = from.takeRef();
        int epoch = takeNumber(from);
        DocumentRef candidate = from.takeRef();
        Similarity similarity = from.takeSimilarity();
        String originalId = from.takeFlag() ? from.takeText() : null;
        DocumentRef redirect = from.takeFlag() ? from.takeRef() : null;
        return new Verified(asker, epoch, candidate, similarity, originalId, redirect);
    }

    private static DocumentRefs takeRefs(ByteReader from) {
        long[] refs = new long[from.takeCount(2)];
        for (int i = 0; i < refs.length; i++) {
            refs[i] = from.takeRef().packed();
        }
        return DocumentRefs.owning(refs);
    }
}
