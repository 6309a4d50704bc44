package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.config.Signing.DocumentSigner;
import io.neardup.engine.protocol.DocumentRef;
import io.neardup.engine.protocol.Original;
import io.neardup.engine.protocol.PredecessorChange;
import io.neardup.engine.protocol.PredecessorChange.Completed;
import io.neardup.engine.protocol.PredecessorChange.Inherited;
import io.neardup.engine.protocol.PredecessorChange.Removed;
import io.neardup.engine.protocol.PredecessorChange.Repeated;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.record.InputRecord;
import io.neardup.record.RecordHeader;
import io.neardup.streams.input.Takeover;
import io.neardup.streams.store.StateCodec;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * The changes of the predecessor of an index on their way to the coordinators: the values of its changelog of originals
 * as they are, with a header that names the original; no value where it is none any more. Behind the last comes the
 * end, which says where the input begins.
 */
public final class PredecessorRecords {
    private static final String ORIGINAL = "neardup.followed.original";
    private static final String REPEATED = "neardup.followed.repeated";
    private static final String SPREAD = "neardup.followed.spread";
    private static final String EVENT = "neardup.followed.event";
    private static final String START = "neardup.followed.start.";

    private PredecessorRecords() {}

    /**
     * A change on its way to a coordinator.
     *
     * @param isOriginal whether it is an original, or that this is none any more; else when one was last repeated
     */
    static Record<Routed, byte[]> change(
            Record<byte[], byte[]> record, boolean isOriginal, DocumentRef source, int coordinator) {
        byte[] name = (source.coordinator() + "/" + source.sequence()).getBytes(UTF_8);
        Headers headers = new RecordHeaders().add(isOriginal ? ORIGINAL : REPEATED, name);
        return new Record<>(new Routed(coordinator, null), record.value(), record.timestamp(), headers);
    }

    /** The end of the changes, for one coordinator. */
    public static ProducerRecord<byte[], byte[]> end(String seeds, int coordinator, String topic, Takeover takeover) {
        Headers headers = new RecordHeaders();
        takeover.starts(coordinator)
                .forEach((input, offset) ->
                        headers.add(START + input, String.valueOf(offset).getBytes(UTF_8)));
        headers.add(EVENT, String.valueOf(takeover.eventMillis(coordinator)).getBytes(UTF_8));
        headers.add(SPREAD, String.valueOf(takeover.isSpread()).getBytes(UTF_8));
        return SeedRecords.end(seeds, coordinator, topic, headers);
    }

    /** Whether a record is a change of an original of the predecessor. */
    static boolean isChange(InputRecord carried) {
        return source(carried, ORIGINAL) != null || source(carried, REPEATED) != null;
    }

    /**
     * The change that a record is.
     *
     * @throws UnsignableException where the original cannot be compared under the settings of this index
     */
    static PredecessorChange change(InputRecord carried, DocumentSigner signer) throws UnsignableException {
        byte[] value = carried.value();
        DocumentRef source = source(carried, ORIGINAL);
        if (source != null) {
            return value == null ? new Removed(source) : inherited(source, original(carried), signer);
        }
        DocumentRef repeated = source(carried, REPEATED);
        if (repeated == null || value == null) {
            throw new IllegalStateException(
                    "a change of the predecessor: expected an original or its repeat, found neither");
        }
        return new Repeated(repeated, StateCodec.REPEATED.decode(value));
    }

    /** The original that a change is. */
    static Original original(InputRecord carried) {
        return StateCodec.ORIGINAL.decode(Objects.requireNonNull(carried.value()));
    }

    private static Inherited inherited(DocumentRef source, Original original, DocumentSigner signer)
            throws UnsignableException {
        SignedDocument kept = original.document();
        return new Inherited(new Original(
                signer.signKept(kept.id(), kept.evidence()), original.origin().takenOverFrom(source)));
    }

    /** The original that a record is of, by its name in its own index; null where its last header is not this one. */
    private static @Nullable DocumentRef source(InputRecord carried, String name) {
        RecordHeader header = SeedRecords.last(carried);
        if (!header.name().equals(name)) {
            return null;
        }
        String[] parts = SeedRecords.text(header).split("/", 2);
        return new DocumentRef(Integer.parseInt(parts[0]), Long.parseLong(parts[1]));
    }

    /** What the end of a predecessor says; null for that of a seed. */
    static @Nullable Completed end(InputRecord carried) {
        Map<String, Long> starts = new HashMap<>();
        Boolean isSpread = null;
        long eventMillis = 0;
        for (RecordHeader header : carried.headers()) {
            if (header.name().startsWith(START)) {
                starts.put(header.name().substring(START.length()), Long.valueOf(SeedRecords.text(header)));
            } else if (header.name().equals(SPREAD)) {
                isSpread = Boolean.valueOf(SeedRecords.text(header));
            } else if (header.name().equals(EVENT)) {
                eventMillis = Long.parseLong(SeedRecords.text(header));
            }
        }
        return isSpread == null ? null : new Completed(starts, isSpread, eventMillis);
    }
}
