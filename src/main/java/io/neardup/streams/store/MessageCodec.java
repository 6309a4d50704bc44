package io.neardup.streams.store;

import io.neardup.engine.lsh.BandKeys;
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
import io.neardup.engine.protocol.Message.TakenBack;
import io.neardup.engine.protocol.Message.ToBands;
import io.neardup.engine.protocol.Message.ToChecker;
import io.neardup.engine.protocol.Message.ToCoordinator;
import io.neardup.engine.protocol.Message.Unknown;
import io.neardup.engine.protocol.Message.Verified;
import io.neardup.engine.protocol.Message.Verify;
import io.neardup.engine.protocol.RecordKey;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.Similarity;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages to one receiver as one record's value: the version, then message after message, each a type and its fields.
 * A {@link MessageBatch} writes them.
 * Numbers are mostly small and take 1 byte then; a band key takes 8.
 */
public final class MessageCodec {
    /** Of an index that is made now. */
    static final int VERSION = 11;

    /** Without the epochs of Verify and its answers, else the same. Messages that have none are written so. */
    static final int WITHOUT_EPOCHS = 10;

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
    // Only an index that has taken over another sends these, so that they need no new version.
    private static final int TAKEN_BACK = 12;
    private static final int NEW_VERSION = 13;

    /**
     * In place of the number of a check, which is at least 1: the message is {@link Unknown}, of the document in place
     * of the checker. A release before 0.2.1 answers it as a check that nobody waits for, and so it can run beside.
     */
    private static final long OF_UNKNOWN = 0;

    private static final int NEIGHBOUR_BYTES_MIN = 29;

    private MessageCodec() {}

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
        ByteReader from = new ByteReader("a batch of messages", bytes);
        boolean hasEpochs = from.takeVersion(WITHOUT_EPOCHS, VERSION) == VERSION;
        List<M> messages = new ArrayList<>();
        while (!from.atEnd()) {
            Message message = take(from, hasEpochs);
            if (!kind.isInstance(message)) {
                throw from.broken(
                        "a message " + kind.getSimpleName(), message.getClass().getSimpleName());
            }
            messages.add(kind.cast(message));
        }
        return messages;
    }

    /** Appends a message to a batch; {@link MessageBatch} begins it. */
    static void put(ByteWriter to, Message message, boolean hasEpochs) {
        if (message instanceof Lookup lookup) {
            Fields.putRef(to.putByte(LOOKUP), lookup.document());
            Fields.putKeys(to.putSmall(lookup.epoch()), lookup.keys());
        } else if (message instanceof Remove remove) {
            Fields.putRef(to.putByte(REMOVE), remove.document());
            Fields.putKeys(to, remove.keys());
        } else if (message instanceof Unknown unknown) {
            CheckId ofNoCheck = new CheckId(unknown.document().packed(), OF_UNKNOWN);
            Fields.putKeys(putCheck(to.putByte(CHECK_LOOKUP), ofNoCheck), unknown.keys());
        } else if (message instanceof Candidates candidates) {
            putCandidates(to.putByte(CANDIDATES), candidates);
        } else if (message instanceof Verify verify) {
            putAsker(to.putByte(VERIFY), verify.asker(), verify.epoch(), hasEpochs);
            to.putSmall(verify.askerArrivalMillis()).putBytes(verify.evidence().bytes());
            Fields.putSketch(to, verify.sketch());
            putRefs(to, verify.candidates());
        } else if (message instanceof Verified verified) {
            putAsker(to.putByte(VERIFIED), verified.asker(), verified.epoch(), hasEpochs);
            putVerified(to, verified);
        } else if (message instanceof Dismissal dismissal) {
            putAsker(to.putByte(DISMISSAL), dismissal.asker(), dismissal.epoch(), hasEpochs);
            putRefs(to, dismissal.noMatch());
            putRefs(to, dismissal.duplicates());
            putRefs(to, dismissal.instead());
            putRefs(to, dismissal.leftOut());
            putRefs(to, dismissal.later());
        } else if (message instanceof Started started) {
            to.putByte(STARTED).putSmall(started.coordinator());
        } else if (message instanceof TakenBack takenBack) {
            to.putByte(TAKEN_BACK).putLong(takenBack.key().high());
            to.putLong(takenBack.key().low());
        } else if (message instanceof NewVersion version) {
            to.putByte(NEW_VERSION).putSmall(version.coordinator()).putText(version.id());
        } else {
            putOfCheck(to, message);
        }
    }

    private static void putAsker(ByteWriter to, DocumentRef asker, int epoch, boolean hasEpochs) {
        Fields.putRef(to, asker);
        if (hasEpochs) {
            to.putSmall(epoch);
        }
    }

    private static int takeEpoch(ByteReader from, boolean hasEpochs) {
        return hasEpochs ? from.takeInt(Integer.MAX_VALUE) : 0;
    }

    private static void putOfCheck(ByteWriter to, Message message) {
        if (message instanceof CheckLookup lookup) {
            Fields.putKeys(putCheck(to.putByte(CHECK_LOOKUP), lookup.check()), lookup.keys());
        } else if (message instanceof CheckCandidates candidates) {
            putCheck(to.putByte(CHECK_CANDIDATES), candidates.check()).putSmall(candidates.indexPartition());
            putFound(to, candidates.found());
        } else if (message instanceof CheckVerify verify) {
            putCheck(to.putByte(CHECK_VERIFY), verify.check())
                    .putBytes(verify.evidence().bytes());
            Fields.putSketch(to, verify.sketch());
            putRefs(to, verify.candidates());
        } else if (message instanceof CheckVerified verified) {
            putCheck(to.putByte(CHECK_VERIFIED), verified.check()).putSmall(verified.coordinator());
            to.putSmall(verified.compared()).putSmall(verified.leftOut());
            to.putSmall(verified.nearest().size());
            verified.nearest().forEach(neighbour -> putNeighbour(to, neighbour));
        }
    }

    private static ByteWriter putCheck(ByteWriter to, CheckId check) {
        return to.putLong(check.checker()).putSmall(check.number());
    }

    private static void putNeighbour(ByteWriter to, Neighbour neighbour) {
        Fields.putRef(to, neighbour.ref());
        to.putText(neighbour.id());
        Fields.putSimilarity(to, neighbour.similarity());
        to.putByte(neighbour.isPending() ? 1 : 0);
    }

    private static void putFound(ByteWriter to, Found found) {
        to.putSmall(found.leftOut()).putSmall(found.fullBuckets());
        putRefs(to, found.candidates());
    }

    private static void putCandidates(ByteWriter to, Candidates candidates) {
        Fields.putRef(to, candidates.document());
        to.putSmall(candidates.epoch()).putSmall(candidates.indexPartition());
        putFound(to, candidates.found());
    }

    private static void putRefs(ByteWriter to, DocumentRefs refs) {
        to.putSmall(refs.size());
        for (int i = 0; i < refs.size(); i++) {
            Fields.putRef(to, refs.get(i));
        }
    }

    private static void putVerified(ByteWriter to, Verified verified) {
        Fields.putRef(to, verified.candidate());
        Fields.putSimilarity(to, verified.similarity());
        String originalId = verified.originalId();
        to.putByte(originalId == null ? 0 : 1);
        if (originalId != null) {
            to.putText(originalId);
        }
        DocumentRef instead = verified.instead();
        to.putByte(instead == null ? 0 : 1);
        if (instead != null) {
            Fields.putRef(to, instead);
        }
    }

    private static Message take(ByteReader from, boolean hasEpochs) {
        int type = from.takeByte();
        return switch (type) {
            case LOOKUP -> new Lookup(Fields.takeRef(from), from.takeInt(Integer.MAX_VALUE), Fields.takeKeys(from));
            case REMOVE -> new Remove(Fields.takeRef(from), Fields.takeKeys(from));
            case CANDIDATES -> takeCandidates(from);
            case VERIFY -> takeVerify(from, hasEpochs);
            case VERIFIED -> takeVerified(from, hasEpochs);
            case STARTED -> new Started(from.takeInt(DocumentRef.COORDINATORS_MAX - 1));
            case DISMISSAL ->
                new Dismissal(
                        Fields.takeRef(from),
                        takeEpoch(from, hasEpochs),
                        takeRefs(from),
                        takeRefs(from),
                        takeRefs(from),
                        takeRefs(from),
                        takeRefs(from));
            case CHECK_LOOKUP -> takeCheckLookup(from);
            case CHECK_CANDIDATES ->
                new CheckCandidates(takeCheck(from), from.takeInt(Integer.MAX_VALUE), takeFound(from));
            case CHECK_VERIFY ->
                new CheckVerify(
                        takeCheck(from), Evidence.of(from.takeBytes()), Fields.takeSketch(from), takeRefs(from));
            case CHECK_VERIFIED -> takeCheckVerified(from);
            case TAKEN_BACK -> new TakenBack(new RecordKey(from.takeLong(), from.takeLong()));
            case NEW_VERSION -> new NewVersion(from.takeInt(DocumentRef.COORDINATORS_MAX - 1), from.takeText());
            default -> throw from.broken("a message type from 1 to 13", String.valueOf(type));
        };
    }

    private static Candidates takeCandidates(ByteReader from) {
        DocumentRef document = Fields.takeRef(from);
        int epoch = from.takeInt(Integer.MAX_VALUE);
        int indexPartition = from.takeInt(Integer.MAX_VALUE);
        return new Candidates(document, epoch, indexPartition, takeFound(from));
    }

    private static Found takeFound(ByteReader from) {
        int leftOut = from.takeInt(Integer.MAX_VALUE);
        int fullBuckets = from.takeInt(Integer.MAX_VALUE);
        return new Found(takeRefs(from), leftOut, fullBuckets);
    }

    private static CheckId takeCheck(ByteReader from) {
        return new CheckId(from.takeLong(), from.takeSmall());
    }

    private static ToBands takeCheckLookup(ByteReader from) {
        CheckId check = takeCheck(from);
        BandKeys keys = Fields.takeKeys(from);
        if (check.number() != OF_UNKNOWN) {
            return new CheckLookup(check, keys);
        }
        if (check.checker() < 0) {
            throw from.broken("a ref of at least 0", String.valueOf(check.checker()));
        }
        return new Unknown(DocumentRef.unpack(check.checker()), keys);
    }

    private static CheckVerified takeCheckVerified(ByteReader from) {
        CheckId check = takeCheck(from);
        int coordinator = from.takeInt(DocumentRef.COORDINATORS_MAX - 1);
        int compared = from.takeInt(Integer.MAX_VALUE);
        int leftOut = from.takeInt(Integer.MAX_VALUE);
        int count = from.takeCount(NEIGHBOUR_BYTES_MIN);
        List<Neighbour> nearest = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            DocumentRef ref = Fields.takeRef(from);
            nearest.add(new Neighbour(ref, from.takeText(), Fields.takeSimilarity(from), from.takeFlag()));
        }
        return new CheckVerified(check, coordinator, nearest, compared, leftOut);
    }

    private static Verify takeVerify(ByteReader from, boolean hasEpochs) {
        DocumentRef asker = Fields.takeRef(from);
        int epoch = takeEpoch(from, hasEpochs);
        long arrivalMillis = from.takeSmall();
        Evidence evidence = Evidence.of(from.takeBytes());
        return new Verify(asker, epoch, arrivalMillis, evidence, Fields.takeSketch(from), takeRefs(from));
    }

    private static DocumentRefs takeRefs(ByteReader from) {
        long[] refs = new long[from.takeCount(2)];
        for (int i = 0; i < refs.length; i++) {
            refs[i] = Fields.takeRef(from).packed();
        }
        return DocumentRefs.owning(refs);
    }

    private static Verified takeVerified(ByteReader from, boolean hasEpochs) {
        DocumentRef asker = Fields.takeRef(from);
        int epoch = takeEpoch(from, hasEpochs);
        DocumentRef candidate = Fields.takeRef(from);
        Similarity similarity = Fields.takeSimilarity(from);
        String originalId = from.takeByte() == 0 ? null : from.takeText();
        DocumentRef instead = from.takeByte() == 0 ? null : Fields.takeRef(from);
        return new Verified(asker, epoch, candidate, similarity, originalId, instead);
    }
}
