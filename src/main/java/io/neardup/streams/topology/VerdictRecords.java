package io.neardup.streams.topology;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.engine.protocol.Decision;
import io.neardup.engine.protocol.Message.Neighbour;
import io.neardup.record.InputRecord;
import io.neardup.record.Rejection;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Nearest;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Position;
import io.neardup.record.Verdict.Repeated;
import io.neardup.record.VerdictCodec;
import io.neardup.streams.input.Seeding;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Makes the verdicts on records that leave.
 *
 * @param settings the fingerprint of what records are judged by
 */
record VerdictRecords(String settings, Seeding seeding) {
    /**
     * The verdict under the place of its record as key, in the partition of the record's own number. Its timestamp is
     * when it was made: the record's own may be one that the topic does not take, and stands in the verdict.
     *
     * @param rejection why the record left as a dead letter; empty where it did not
     */
    Record<Routed, byte[]> verdict(Arrival arrival, Decision decision, Optional<Rejection> rejection, long nowMillis) {
        InputRecord input = arrival.input();
        Verdict verdict = new Verdict(
                new Position(input.topic(), input.partition(), input.offset()),
                input.timestamp(),
                arrival.id(),
                outcome(input, decision, rejection),
                rejection.isEmpty() ? repeated(decision) : null,
                rejection.isEmpty() ? nearest(decision) : null,
                rejection.map(found -> found.reason().code()).orElse(null),
                rejection.isEmpty() ? OutputRecords.codes(OutputRecords.bounds(decision)) : List.of(),
                settings,
                arrival.source().isEmpty() ? null : arrival.source(),
                arrival.provenance().length());
        Routed routed = new Routed(input.partition(), input.place().getBytes(UTF_8));
        return new Record<>(routed, VerdictCodec.encode(verdict), nowMillis, new RecordHeaders());
    }

    private static Outcome outcome(InputRecord input, Decision decision, Optional<Rejection> rejection) {
        if (rejection.isPresent()) {
            return Outcome.DEAD_LETTER;
        }
        if (decision instanceof Decision.Duplicate) {
            return Outcome.DUPLICATE;
        }
        return input.value() == null ? Outcome.TOMBSTONE : Outcome.UNIQUE;
    }

    private static @Nullable Nearest nearest(Decision decision) {
        Neighbour nearest = decision instanceof Decision.Unique unique ? unique.nearest() : null;
        return nearest == null
                ? null
                : new Nearest(
                        nearest.id(),
                        nearest.provenance().place(),
                        nearest.similarity().value());
    }

    private @Nullable Repeated repeated(Decision decision) {
        return decision instanceof Decision.Duplicate duplicate ? OutputRecords.repeated(duplicate, seeding) : null;
    }
}
