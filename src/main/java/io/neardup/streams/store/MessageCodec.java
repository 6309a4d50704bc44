package io.neardup.streams.store;

import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.DocumentRefs;
import io.neardup.engine.protocol.Message;
import io.neardup.engine.protocol.Message.Answer;
import io.neardup.engine.protocol.Message.Candidates;
import io.neardup.engine.protocol.Message.Found;
import io.neardup.engine.protocol.Message.Lookup;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.engine.protocol.Message.NewVersion;
import io.neardup.engine.protocol.Message.Remove;
import io.neardup.engine.protocol.Message.Started;
import io.neardup.engine.protocol.Message.ToCoordinator;
import io.neardup.engine.protocol.Message.ToIndex;
import io.neardup.engine.protocol.Message.TombstoneArrived;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.similarity.Evidence;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages to one receiver as one record's value: the version, then message after message, each a type and its fields.
 * Numbers are mostly small and take 1 byte then; a band key takes 8.
 */
public final class MessageCodec {
    public static final int VERSION = 14;

    private static final int LOOKUP = 1;
    private static final int REMOVE = 2;
    private static final int CANDIDATES = 3;
    private static final int VERIFY = 4;
    private static final int ANSWER = 5;
    private static final int STARTED = 6;
    private static final int TOMBSTONE_ARRIVED = 7;
    private static final int NEW_VERSION = 8;

    private static final int NEIGHBOUR_BYTES_MIN = 40;

    private MessageCodec() {}

    public static Batch<Message> batch() {
        return new Batch<>(VERSION, MessageCodec::put);
    }

    public static List<ToIndex> decodeToIndex(byte[] bytes) {
        return decode(bytes, ToIndex.class);
    }

    /** Reads messages to a coordinator, or to a check. */
    public static List<ToCoordinator> decodeToCoordinator(byte[] bytes) {
        return decode(bytes, ToCoordinator.class);
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

    static void put(ByteWriter to, Message message) {
        if (message instanceof Lookup lookup) {
            to.putByte(LOOKUP)
                    .putRef(lookup.document())
                    .putSmall(lookup.epoch())
                    .putKeys(lookup.keys());
        } else if (message instanceof Remove remove) {
            to.putByte(REMOVE).putRef(remove.document()).putKeys(remove.keys());
        } else if (message instanceof Candidates candidates) {
            to.putByte(CANDIDATES).putRef(candidates.document());
            to.putSmall(candidates.epoch()).putSmall(candidates.indexPartition());
            Found found = candidates.found();
            to.putSmall(found.truncated()).putSmall(found.fullBuckets());
            putRefs(to, found.candidates());
        } else if (message instanceof Verify verify) {
            to.putByte(VERIFY).putRef(verify.asker());
            to.putSmall(verify.epoch())
                    .putSmall(verify.request())
                    .putSmall(verify.askerArrivalMillis())
                    .putBytes(verify.evidence().bytes())
                    .putSketch(verify.sketch());
            putRefs(to, verify.candidates());
        } else if (message instanceof Answer answer) {
            putAnswer(to.putByte(ANSWER), answer);
        } else if (message instanceof Started started) {
            to.putByte(STARTED).putSmall(started.coordinator());
        } else if (message instanceof TombstoneArrived tombstone) {
            to.putByte(TOMBSTONE_ARRIVED).putRecordKey(tombstone.key());
        } else if (message instanceof NewVersion version) {
            to.putByte(NEW_VERSION).putSmall(version.coordinator()).putText(version.id());
        }
    }

    private static void putAnswer(ByteWriter to, Answer answer) {
        to.putRef(answer.asker()).putSmall(answer.epoch()).putSmall(answer.request());
        to.putSmall(answer.compared()).putSmall(answer.notCompared());
        to.putSmall(answer.nearest().size());
        answer.nearest().forEach(to::putNeighbour);
        to.putOrNone(answer.nearestBelow(), ByteWriter::putNeighbour);
        putRefs(to, answer.redirects());
        putRefs(to, answer.unknown());
    }

    private static void putRefs(ByteWriter to, DocumentRefs refs) {
        to.putSmall(refs.size());
        for (int i = 0; i < refs.size(); i++) {
            to.putRef(refs.get(i));
        }
    }

    // ---- reading

    static Message take(ByteReader from) {
        int type = from.takeByte();
        return switch (type) {
            case LOOKUP -> new Lookup(from.takeAsker(), takeNumber(from), from.takeKeys());
            case REMOVE -> new Remove(from.takeRef(), from.takeKeys());
            case CANDIDATES -> new Candidates(from.takeAsker(), takeNumber(from), takeNumber(from), takeFound(from));
            case VERIFY -> takeVerify(from);
            case ANSWER -> takeAnswer(from);
            case STARTED -> new Started(takeCoordinator(from));
            case TOMBSTONE_ARRIVED -> new TombstoneArrived(from.takeRecordKey());
            case NEW_VERSION -> new NewVersion(takeCoordinator(from), from.takeText());
            default -> throw from.broken("a message type from 1 to " + NEW_VERSION, String.valueOf(type));
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

    private static Verify takeVerify(ByteReader from) {
        DocumentRef asker = from.takeAsker();
        int epoch = takeNumber(from);
        int request = takeNumber(from);
        long arrivalMillis = from.takeSmall();
        Evidence evidence = Evidence.of(from.takeBytes());
        return new Verify(asker, epoch, request, arrivalMillis, evidence, from.takeSketch(), takeRefs(from));
    }

    private static Answer takeAnswer(ByteReader from) {
        DocumentRef asker = from.takeAsker();
        int epoch = takeNumber(from);
        int request = takeNumber(from);
        int compared = takeNumber(from);
        int notCompared = takeNumber(from);
        List<Neighbour> nearest = new ArrayList<>();
        for (int more = from.takeCount(NEIGHBOUR_BYTES_MIN); more > 0; more--) {
            nearest.add(from.takeNeighbour());
        }
        Neighbour nearestBelow = from.takeOrNone(ByteReader::takeNeighbour);
        return new Answer(
                asker, epoch, request, nearest, nearestBelow, takeRefs(from), takeRefs(from), compared, notCompared);
    }

    private static DocumentRefs takeRefs(ByteReader from) {
        long[] refs = new long[from.takeCount(2)];
        for (int i = 0; i < refs.length; i++) {
            refs[i] = from.takeRef().packed();
        }
        return DocumentRefs.owning(refs);
    }
}
