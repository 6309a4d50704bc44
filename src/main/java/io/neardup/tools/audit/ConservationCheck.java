package io.neardup.tools.audit;

import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.audit.InputSide.Taken;
import io.neardup.tools.audit.OutputSide.Left;
import io.neardup.tools.audit.OutputSide.Matched;
import io.neardup.tools.audit.OutputSide.Source;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;

/**
 * Promises 1 and 4: every input record is on exactly one output, as it came, and each output keeps the order of each
 * input partition. A record is recognised by its content; a dead letter tells its place. Records of equal content are
 * counted: which of them is which cannot be told, so they take no part in the order.
 *
 * <p>What has come in and not yet out is kept, and the reverse. So memory is bounded as long as whoever reads stops a
 * partition of which too much is kept, and gives up the oldest where all are stopped.
 */
final class ConservationCheck implements PacedReading.Keeper {
    /** Of so many records that have left it is known where: a record that comes out twice is no strange one. */
    private static final int RECENT = 100_000;
    /** Of so many records on either side it is sought what became of them; beyond, they count. */
    private static final int EXPLAINED_MAX = 2_000;
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
    private final Map<Source, Left> unmatchedBySource = new HashMap<>();
    private final Map<RecordContent, Matched> recent = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<RecordContent, Matched> eldest) {
            return size() > RECENT;
        }
    };
    private final List<Taken> lost = new ArrayList<>();
    private final List<Left> strange = new ArrayList<>();
    private long matched;
    private long notJudged;
    private long notLeft;
    private long namesReplaced;

    /** @param reader of the ids of documents; asked where duplicates are verdicts */
    ConservationCheck(AuditedTopics topics, DocumentReader reader) {
        this.topics = topics;
        this.reader = reader;
        this.hash = new ContentHash(topics.timestampsKept());
        topics.inputPartitions().forEach(partition -> inputs.put(partition, new InputSide(partition)));
        topics.outputPartitions().forEach(partition -> outputs.put(partition, new OutputSide(partition)));
    }

    // ---- what is read

    /** The next record of an input partition. */
    void takeInput(InputRecord record) {
        InputSide side = Objects.requireNonNull(inputs.get(partition(record)));
        if (record.headers().stream().anyMatch(header -> header.name().indexOf(REPLACEMENT) >= 0)) {
            namesReplaced++;
        }
        RecordContent content = hash.of(record, AuditedTopics.given(record));
        Taken taken = new Taken(side, record.offset(), content, verdict(record).orElse(null));
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
        waiting.all(content).forEach(other -> {
            other.repeat();
            taken.repeat();
        });
        side.waiting().put(taken.offset(), taken);
        waiting.add(content, taken);
        if (taken.verdict() != null) {
            waiting.add(taken.verdict(), taken);
        }
    }

    /** What a duplicate that is a verdict would be recognised by. */
    private Optional<RecordContent> verdict(InputRecord record) {
        return topics.verdicts() && reader.read(record) instanceof Document document
                ? Optional.of(hash.ofVerdict(record, AuditedTopics.given(record), document.id()))
                : Optional.empty();
    }

    private Optional<Left> leftAlready(Taken taken) {
        Left told = unmatchedBySource.get(new Source(taken.partition(), taken.offset()));
        if (told != null) {
            return Optional.of(told);
        }
        Optional<Left> asItCame = unmatched.first(taken.content(), left -> fits(taken, left));
        return asItCame.isPresent() || taken.verdict() == null
                ? asItCame
                : unmatched.first(taken.verdict(), left -> fits(taken, left));
    }

    /** The next record of an output partition. */
    void takeOutput(InputRecord record) {
        OutputSide side = Objects.requireNonNull(outputs.get(partition(record)));
        Optional<Source> source = source(record);
        boolean valueLeftOut = source.isPresent()
                && AuditedTopics.header(record, OutputRecords.VALUE_BYTES).isPresent();
        Left left = new Left(side, record.offset(), content(record), source.orElse(null), valueLeftOut);
        Optional<Taken> taken = source.isPresent()
                ? source.flatMap(this::waitingAt)
                : waiting.first(left.content(), candidate -> fits(candidate, left));
        if (taken.isPresent()) {
            match(taken.get(), left);
            return;
        }
        side.unmatched().put(left.offset(), left);
        if (source.isPresent()) {
            unmatchedBySource.putIfAbsent(source.get(), left);
        } else {
            unmatched.add(left.content(), left);
        }
    }

    private RecordContent content(InputRecord record) {
        return topics.verdicts() && record.topic().equals(topics.duplicates())
                ? hash.ofVerdict(
                        record,
                        AuditedTopics.given(record),
                        AuditedTopics.header(record, OutputRecords.ID).orElse(""))
                : hash.of(record, AuditedTopics.given(record));
    }

    private Optional<Source> source(InputRecord record) {
        if (!record.topic().equals(topics.deadLetters())) {
            return Optional.empty();
        }
        Optional<String> topic = AuditedTopics.header(record, OutputRecords.SOURCE_TOPIC);
        Optional<Long> partition = number(record, OutputRecords.SOURCE_PARTITION);
        Optional<Long> offset = number(record, OutputRecords.SOURCE_OFFSET);
        return topic.isPresent() && partition.isPresent() && offset.isPresent()
                ? Optional.of(new Source(
                        new TopicPartition(topic.get(), partition.get().intValue()), offset.get()))
                : Optional.empty();
    }

    private static Optional<Long> number(InputRecord record, String header) {
        return AuditedTopics.header(record, header)
                .filter(text -> text.matches("\\d{1,18}"))
                .map(Long::valueOf);
    }

    private Optional<Taken> waitingAt(Source source) {
        return Optional.ofNullable(inputs.get(source.partition()))
                .map(side -> side.waiting().get(source.offset()));
    }

    private boolean fits(Taken taken, Left left) {
        return topics.leadsTo(taken.partition(), left.partition());
    }

    private static TopicPartition partition(InputRecord record) {
        return new TopicPartition(record.topic(), record.partition());
    }

    // ---- what belongs together

    private void match(Taken taken, Left left) {
        forget(taken);
        forget(left);
        taken.leave(topics.isSettled(left.partition(), left.offset()));
        matched++;
        Matched pair = new Matched(taken, left);
        recent.put(taken.content(), pair);
        if (taken.verdict() != null) {
            recent.put(taken.verdict(), pair);
        }
        left.side().noteFirst(taken.partition(), left.offset());
        if (left.source() != null) {
            checkDeadLetter(taken, left);
        }
        if (!pair.isUncertain()) {
            order.follow(pair);
        }
    }

    private void forget(Taken taken) {
        waiting.remove(taken.content(), taken);
        if (taken.verdict() != null) {
            waiting.remove(taken.verdict(), taken);
        }
    }

    private void forget(Left left) {
        left.side().unmatched().remove(left.offset());
        unmatched.remove(left.content(), left);
        if (left.source() != null) {
            unmatchedBySource.remove(left.source(), left);
        }
    }

    /** Where the topic carries the value it carries the headers and any key that there is. */
    private void checkDeadLetter(Taken taken, Left left) {
        RecordContent in = taken.content();
        RecordContent out = left.content();
        boolean sameKey = in.key() == out.key() || in.key() == 0;
        boolean same = sameKey && in.value() == out.value() && in.headers() == out.headers();
        if (!same && !left.isValueLeftOut()) {
            conservation.add("changed", () -> changed(taken, left));
        }
        if (!fits(taken, left)) {
            conservation.add("misplaced", () -> left + ": expected none of " + taken + " in this partition");
        }
    }

    private static String changed(Taken taken, Left left) {
        return left + " is " + taken + " with another "
                + String.join(" and another ", taken.content().differences(left.content()));
    }

    // ---- bounds and the end

    @Override
    public int kept(TopicPartition partition) {
        InputSide side = inputs.get(partition);
        return side == null
                ? Objects.requireNonNull(outputs.get(partition)).unmatched().size()
                : side.waiting().size();
    }

    /** Not where all outputs are read, and each of their records has its input: the rest has not left yet. */
    @Override
    public boolean needsMore(Set<TopicPartition> unfinished) {
        return unfinished.stream().anyMatch(outputs::containsKey)
                || outputs.values().stream().anyMatch(side -> !side.unmatched().isEmpty());
    }

    @Override
    public void giveUp(Set<TopicPartition> unfinished, int keptMax) {
        unfinished.forEach(partition -> giveUp(partition, keptMax));
    }

    /** Keeps at most so many records of the partition: the oldest are judged now. */
    private void giveUp(TopicPartition partition, int keptMax) {
        InputSide input = inputs.get(partition);
        if (input != null) {
            oldest(input.waiting(), keptMax).forEach(this::endOf);
        } else {
            oldest(Objects.requireNonNull(outputs.get(partition)).unmatched(), keptMax)
                    .forEach(this::endOf);
        }
    }

    private static <T> List<T> oldest(Map<Long, T> kept, int keptMax) {
        return kept.values().stream().limit(Math.max(0, kept.size() - keptMax)).toList();
    }

    private void endOf(Taken taken) {
        forget(taken);
        Objects.requireNonNull(inputs.get(taken.partition())).waiting().remove(taken.offset());
        if (taken.isBeforeAll() && topics.outputPartitions().stream().anyMatch(topics::isCut)) {
            notJudged++;
        } else if (taken.isPassed()) {
            addLost(taken);
        } else {
            notLeft++;
        }
    }

    private void endOf(Left left) {
        forget(left);
        boolean mayBeOlder = topics.inputPartitions().stream()
                .anyMatch(input -> topics.isCut(input)
                        && topics.leadsTo(input, left.partition())
                        && left.offset() < left.side().firstOf(input));
        if (mayBeOlder) {
            notJudged++;
        } else {
            addStrange(left);
        }
    }

    private void addLost(Taken taken) {
        if (lost.size() < EXPLAINED_MAX) {
            lost.add(taken);
        } else {
            reportLost(taken);
        }
    }

    private void reportLost(Taken taken) {
        conservation.add("lost", () -> taken + " is on none of the outputs, and a later record of its partition is");
    }

    private void addStrange(Left left) {
        if (strange.size() < EXPLAINED_MAX) {
            strange.add(left);
        } else {
            reportStrange(left);
        }
    }

    private void reportStrange(Left left) {
        conservation.add("strange", () -> left + " is no record of the input");
    }

    /** All was read: what is kept belongs to nothing. */
    void end() {
        inputs.keySet().forEach(partition -> giveUp(partition, 0));
        outputs.keySet().forEach(partition -> giveUp(partition, 0));
        strange.forEach(this::explain);
        lost.forEach(this::reportLost);
    }

    /** A record that came out and did not come in so: once more than it came in, changed, or of elsewhere. */
    private void explain(Left left) {
        Matched twin = recent.get(left.content());
        Optional<Taken> alike = lost.stream()
                .filter(taken -> taken.content().partsShared(left.content()) >= 3)
                .findFirst();
        if (twin != null) {
            conservation.add("doubled", () -> left + " is " + twin.taken() + " once more; " + twin);
        } else if (alike.isPresent()) {
            Taken taken = alike.get();
            lost.remove(taken);
            boolean moved = taken.content().equals(left.content());
            conservation.add(
                    moved ? "misplaced" : "changed",
                    () -> moved ? left + ": expected " + taken + " in another partition" : changed(taken, left));
        } else {
            reportStrange(left);
        }
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
        inputs.forEach((partition, side) -> offsets.put(partition, side.lastLeft() + 1));
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
