package io.neardup.tools.audit;

import io.neardup.config.NeardupConfig;
import io.neardup.record.InputRecord;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Position;
import io.neardup.record.Verdict.Repeated;
import io.neardup.record.VerdictCodec;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.feed.DeadLetter;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What became of a record that came in, as a record of an output says.
 *
 * @param record of the output
 * @param source where it came in; null where that is not said
 * @param repeated what a duplicate repeats, with NaN for a similarity that is not said; null for what is none
 * @param verdict null where the output is one of records
 */
record RecordOutcome(
        InputRecord record,
        Outcome outcome,
        @Nullable Position source,
        @Nullable Repeated repeated,
        @Nullable Verdict verdict) {

    /** @throws IOException if it is to be a verdict, and is none */
    static RecordOutcome of(InputRecord record, NeardupConfig config) throws IOException {
        String topic = record.topic();
        if (topic.equals(config.duplicatesTopic())) {
            return new RecordOutcome(record, Outcome.DUPLICATE, null, OutputRecords.repeated(record), null);
        }
        if (topic.equals(config.deadLetterTopic())) {
            Position source = DeadLetter.of(record).map(DeadLetter::source).orElse(null);
            return new RecordOutcome(record, Outcome.DEAD_LETTER, source, null, null);
        }
        if (topic.equals(config.uniqueTopic())) {
            Outcome outcome = record.value() == null ? Outcome.TOMBSTONE : Outcome.UNIQUE;
            return new RecordOutcome(record, outcome, null, null, null);
        }
        Verdict verdict = verdict(record);
        return new RecordOutcome(record, verdict.outcome(), verdict.position(), verdict.repeated(), verdict);
    }

    /** @throws IOException that says where it is, if it is none */
    static Verdict verdict(InputRecord record) throws IOException {
        try {
            byte[] value = record.value();
            return VerdictCodec.decode(value == null ? new byte[0] : value);
        } catch (IOException e) {
            throw new IOException(at(record) + ": " + e.getMessage(), e);
        }
    }

    /** The id of the document; empty where the record does not say it beside its value. */
    Optional<String> id() {
        return verdict == null ? record.header(OutputRecords.ID) : Optional.of(verdict.id());
    }

    /** What says it, for people. */
    String at() {
        return verdict == null ? at(record) : "the verdict on " + verdict.position();
    }

    static String at(InputRecord record) {
        return record.topic() + "-" + record.partition() + " offset " + record.offset();
    }

    static String at(Position position) {
        return position.topic() + "-" + position.partition() + " offset " + position.offset();
    }
}
