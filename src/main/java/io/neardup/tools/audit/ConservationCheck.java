package io.neardup.tools.audit;

import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Position;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.audit.ContentHash.Content;
import io.neardup.tools.audit.Matched.Left;
import io.neardup.tools.audit.Matched.Taken;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Promises 1 and 4: what became of every input record is said exactly once, as it came, and each output keeps the order
 * of each input partition. A record is recognised by its content; a dead letter and a verdict say its place. Records of
 * equal content are counted: which of them is which cannot be told, so they take no part in the order.
 *
 * <p>What has come in and not yet out is kept, and the reverse. So memory is bounded as long as whoever reads stops a
 * partition of which too much is kept, and gives up the oldest where all are stopped.
 */
final class ConservationCheck {
    /** Of so many records that have left it is known where: a record that comes out twice is no strange one. */
    private static final int RECENT = 100_000;
    /** Kafka's client has it for what is not UTF-8 in the name of a header; what it stands for is not to be seen. */
    private static final char REPLACEMENT = '\uFFFD';

    private final AuditedTopics topics;
    private final DocumentReader reader;
    private final ContentHash hash;
    private final Breaks conservation = new Breaks();
    private final OrderCheck order = new OrderCheck();
    private final Map<TopicPartition, InputSide> inputs = new HashMap<>();
    private final Map<TopicPartition, OutputSide> outputs = new HashMap<>();
    private final ByContent<Taken> waiting = new ByContent<>();
    private final ByContent<Left> unmatched = new ByContent<>();
    private final Map<Position, Left> unmatchedBySource = new HashMap<>();
    /** By content, and by source where that is said. */
    private final Map<Object, Matched> recent = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Matched> eldest) {
            return size() > RECENT;
        }
    };

    private long matched;
    private long notJudged;
    private long notLeft;
    private long namesReplaced;

    /** A partition of an input: its records that have not come out yet as far as was read, and how far others have. */
    private static final class InputSide {
        private final Map<Long, Taken> waiting = new LinkedHashMap<>();
        private long firstLeft = Long.MAX_VALUE;
        private long lastLeft = -1;
        /** The last before which all that left was read. */
        private long lastSettled = -1;
    }

    /** A partition of an output: its records for which no input was read yet. */
    private static final class OutputSide {
        private final Map<Long, Left> unmatched = new LinkedHashMap<>();
        /** The first offset at which a record of each input partition came out. */
        private final Map<TopicPartition, Long> first = new HashMap<>();
    }

    ConservationCheck(AuditedTopics topics) {
        this.topics = topics;
        this.reader = topics.config().documentReaders().get();
        this.hash = new ContentHash(topics.timestampsKept());
        topics.inputPartitions().forEach(partition -> inputs.put(partition, new InputSide()));
        topics.outputPartitions().forEach(partition -> outputs.put(partition, new OutputSide()));
    }

    private InputSide input(TopicPartition partition) {
        return Objects.requireNonNull(inputs.get(partition), partition.toString());
    }

    private OutputSide output(TopicPartition partition) {
        return Objects.requireNonNull(outputs.get(partition), partition.toString());
    }

    // ---- what is read

    /** The next record of an input partition. */
    void takeInput(InputRecord record) {
        if (record.headers().stream().anyMatch(header -> header.name().indexOf(REPLACEMENT) >= 0)) {
            namesReplaced++;
        }
        Content content = hash.of(record);
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        Taken taken = new Taken(partition, record.offset(), content, asVerdict(record));
        order.meet(content);
        Matched twin = recent.get(content);
        if (twin != null) {
            twin.taken().repeat();
            taken.repeat();
        }
        Optional<Left> left = leftAlready(taken);
        if (left.isPresent()) {
            match(taken, left.get());
            return;
        }
        // Of several each knows it already.
        waiting.first(content, other -> true).ifPresent(other -> {
            other.repeat();
            taken.repeat();
        });
        input(partition).waiting.put(taken.offset(), taken);
        waiting.add(content, taken);
        if (taken.asVerdict() != null) {
            waiting.add(taken.asVerdict(), taken);
        }
    }

    private @Nullable Content asVerdict(InputRecord record) {
        return !topics.ofVerdicts()
                        && topics.hasDuplicatesWithoutText()
                        && reader.read(record) instanceof Document document
                ? hash.ofVerdict(record, document.id())
                : null;
    }

    private Optional<Left> leftAlready(Taken taken) {
        TopicPartition partition = taken.partition();
        Left told = unmatchedBySource.get(new Position(partition.topic(), partition.partition(), taken.offset()));
        if (told != null) {
            return Optional.of(told);
        }
        Optional<Left> asItCame = unmatched.first(taken.content(), left -> fits(taken, left));
        return asItCame.isPresent() || taken.asVerdict() == null
                ? asItCame
                : unmatched.first(taken.asVerdict(), left -> fits(taken, left));
    }

    /** The next record of an output partition, but those of elsewhere. */
    void takeOutput(RecordOutcome outcome) {
        Left left = left(outcome);
        Position source = left.source();
        Optional<Taken> taken = source == null
                ? waiting.first(left.content(), candidate -> fits(candidate, left))
                : Optional.ofNullable(inputs.get(partition(source))).map(side -> side.waiting.get(source.offset()));
        if (taken.isPresent()) {
            match(taken.get(), left);
            return;
        }
        output(left.partition()).unmatched.put(left.offset(), left);
        if (source == null) {
            unmatched.add(left.content(), left);
        } else {
            unmatchedBySource.putIfAbsent(source, left);
        }
    }

    private Left left(RecordOutcome outcome) {
        InputRecord record = outcome.record();
        boolean byId = outcome.outcome() == Outcome.DUPLICATE && topics.hasDuplicatesWithoutText();
        return new Left(
                new TopicPartition(record.topic(), record.partition()),
                record.offset(),
                byId ? hash.ofVerdict(record, outcome.id().orElse("")) : hash.of(record),
                outcome.source(),
                !topics.ofVerdicts()
                        && outcome.record().header(OutputRecords.VALUE_BYTES).isEmpty());
    }

    private static TopicPartition partition(Position source) {
        return new TopicPartition(source.topic(), source.partition());
    }

    private boolean fits(Taken taken, Left left) {
        return topics.leadsTo(taken.partition(), left.partition());
    }

    // ---- what belongs together

    private void match(Taken taken, Left left) {
        InputSide side = input(taken.partition());
        side.firstLeft = Math.min(side.firstLeft, taken.offset());
        side.lastLeft = Math.max(side.lastLeft, taken.offset());
        if (topics.isSettled(left.partition(), left.offset())) {
            side.lastSettled = Math.max(side.lastSettled, taken.offset());
        }
        forget(taken);
        forget(left);
        matched++;
        Matched pair = new Matched(taken, left);
        recent.put(taken.content(), pair);
        if (taken.asVerdict() != null) {
            recent.put(taken.asVerdict(), pair);
        }
        output(left.partition()).first.merge(taken.partition(), left.offset(), Math::min);
        if (left.source() != null) {
            recent.put(left.source(), pair);
            checkSaid(taken, left);
        }
        if (!pair.isUncertain()) {
            order.follow(pair);
        }
    }

    private void forget(Taken taken) {
        input(taken.partition()).waiting.remove(taken.offset());
        waiting.remove(taken.content(), taken);
        if (taken.asVerdict() != null) {
            waiting.remove(taken.asVerdict(), taken);
        }
    }

    private void forget(Left left) {
        output(left.partition()).unmatched.remove(left.offset());
        unmatched.remove(left.content(), left);
        if (left.source() != null) {
            unmatchedBySource.remove(left.source(), left);
        }
    }

    /** Of a record that says where it came in: whether it is that one, in its place. */
    private void checkSaid(Taken taken, Left left) {
        List<String> differences = left.hasContent() ? taken.content().differences(left.content()) : List.of();
        if (!differences.isEmpty()) {
            conservation.add(
                    "changed",
                    () -> left + " is " + taken + " with another " + String.join(" and another ", differences));
        }
        if (!fits(taken, left)) {
            conservation.add("misplaced", () -> left + ": expected none of " + taken + " in this partition");
        }
    }

    // ---- bounds and the end

    /** How many records of the partition are kept. */
    int kept(TopicPartition partition) {
        InputSide side = inputs.get(partition);
        return side == null ? output(partition).unmatched.size() : side.waiting.size();
    }

    /** Not where all outputs are read, and each of their records has its input: the rest has not left yet. */
    boolean needsMore(Set<TopicPartition> unfinished) {
        return unfinished.stream().anyMatch(outputs::containsKey)
                || outputs.values().stream().anyMatch(side -> !side.unmatched.isEmpty());
    }

    /**
     * All partitions wait for each other. Keeps at most so many records of each, and judges the oldest now; first those
     * of inputs of which nothing has come out yet, where what became of them may be deleted.
     */
    void giveUp(Set<TopicPartition> unfinished, int keptMax) {
        List<TopicPartition> early = unfinished.stream()
                .filter(partition -> topics.isBegunLate()
                        && inputs.containsKey(partition)
                        && input(partition).firstLeft == Long.MAX_VALUE)
                .toList();
        (early.isEmpty() ? unfinished : early).forEach(partition -> giveUp(partition, keptMax));
    }

    private void giveUp(TopicPartition partition, int keptMax) {
        if (inputs.containsKey(partition)) {
            oldest(input(partition).waiting, keptMax).forEach(this::endOf);
        } else {
            oldest(output(partition).unmatched, keptMax).forEach(this::endOf);
        }
    }

    private static <T> List<T> oldest(Map<Long, T> kept, int keptMax) {
        return kept.values().stream().limit(Math.max(0, kept.size() - keptMax)).toList();
    }

    private void endOf(Taken taken) {
        forget(taken);
        InputSide side = input(taken.partition());
        if (taken.offset() < side.firstLeft && topics.isBegunLate()) {
            notJudged++;
        } else if (taken.offset() < side.lastSettled) {
            String found = topics.ofVerdicts()
                    ? " has no verdict, and a later record of its partition has"
                    : " is on none of the outputs, and a later record of its partition is";
            conservation.add("lost", () -> taken + found);
        } else {
            notLeft++;
        }
    }

    private void endOf(Left left) {
        forget(left);
        Position source = left.source();
        Matched twin = source != null && recent.containsKey(source) ? recent.get(source) : recent.get(left.content());
        if (mayBeOfDeleted(left)) {
            notJudged++;
        } else if (twin != null) {
            conservation.add("doubled", () -> left + " is " + twin.taken() + " once more; " + twin);
        } else if (source != null && hasLeft(source)) {
            conservation.add("doubled", () -> left + " is " + RecordOutcome.at(source) + " once more");
        } else {
            conservation.add("strange", () -> left + " is no record of the input");
        }
    }

    private boolean mayBeOfDeleted(Left left) {
        Position source = left.source();
        if (source != null && inputs.containsKey(partition(source))) {
            return source.offset() < TopicReading.of(topics.beginnings(), partition(source));
        }
        return inputs.keySet().stream()
                .anyMatch(input -> topics.isCut(input)
                        && topics.leadsTo(input, left.partition())
                        && left.offset() < output(left.partition()).first.getOrDefault(input, Long.MAX_VALUE));
    }

    private boolean hasLeft(Position source) {
        InputSide side = inputs.get(partition(source));
        return side != null && source.offset() <= side.lastLeft;
    }

    /** All was read: what is kept belongs to nothing. */
    void end() {
        inputs.keySet().forEach(partition -> giveUp(partition, 0));
        outputs.keySet().forEach(partition -> giveUp(partition, 0));
    }

    // ---- what was found

    Breaks conservation() {
        return conservation;
    }

    Breaks order() {
        return order.breaks();
    }

    /** Of each input partition the offset behind the last record that is known to have left. */
    Map<TopicPartition, Long> firstNotLeft() {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        inputs.forEach((partition, side) -> offsets.put(partition, side.lastSettled + 1));
        return offsets;
    }

    /** Records that came in and out. */
    long matched() {
        return matched;
    }

    /** Records that came in and have not left yet, with none behind them that has. */
    long notLeft() {
        return notLeft;
    }

    /** Records of the input with a header whose name was not UTF-8, or has the character that stands for that. */
    long namesReplaced() {
        return namesReplaced;
    }

    /** Records whose other side was deleted, as it is older than what is there. */
    long notJudged() {
        return notJudged;
    }
}
