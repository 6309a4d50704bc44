package io.neardup.tools.audit;

import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Position;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.audit.ContentHash.Content;
import io.neardup.tools.audit.PromiseReport.Findings;
import io.neardup.tools.feed.TopicReading;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
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
    private static final String INPUTS_CHANGED =
            "an input was taken out or made again: what was found may be of records that came before";

    /** Of so many records that have left it is known where: a record that comes out twice is no strange one. */
    private static final int RECENT = 100_000;
    /** What is suspected waits for the end, as a later record of equal content would clear it; beyond, it counts. */
    private static final int SUSPECTS_MAX = 10_000;
    /** Kafka's client has it for what is not UTF-8 in the name of a header; what it stands for is not to be seen. */
    private static final char REPLACEMENT = '\uFFFD';

    private final AuditedTopics topics;
    private final DocumentReader reader;
    private final ContentHash hash;
    private final Findings conservation = new Findings();
    private final Findings order = new Findings();
    private final Map<TopicPartition, InputSide> inputs = new HashMap<>();
    private final Map<TopicPartition, OutputSide> outputs = new HashMap<>();
    /** The first offset that is there, of each partition: it goes on where records are deleted meanwhile. */
    private final Map<TopicPartition, Long> beginnings;

    private final ByKey<Received> waiting = new ByKey<>();
    private final ByKey<Released> unmatched = new ByKey<>();
    private final List<Suspect> suspects = new ArrayList<>();
    private final ByKey<Suspect> suspectsByContent = new ByKey<>();
    /** By content, and by source where that is said. */
    private final Map<Object, Matched> recent = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Matched> eldest) {
            return size() > RECENT;
        }
    };

    /** Records that came in and out. */
    private long matched;
    /** Records whose other side was deleted, as it is older than what is there. */
    private long notJudged;
    /** Records that are lost, or whose other side was deleted. */
    private long notKnown;
    /** Records of the input with a header whose name was not UTF-8, or has the character that stands for that. */
    private long namesReplaced;
    /** Whatever an output has of an input was seen. */
    private boolean isAllRead;
    /** Some of what came out was given up before all was read. */
    private boolean haveOutputsGivenUp;

    /** Records by what they are recognised by, their content or their source, the first that came first. */
    private static final class ByKey<T> {
        private final Map<Object, Set<T>> records = new HashMap<>();

        void add(Object key, T record) {
            records.computeIfAbsent(key, first -> new LinkedHashSet<>(2)).add(record);
        }

        Optional<T> first(Object key, Predicate<T> fits) {
            return all(key).stream().filter(fits).findFirst();
        }

        Set<T> all(Object key) {
            return records.getOrDefault(key, Set.of());
        }

        void remove(Object key, T record) {
            records.computeIfPresent(key, (same, all) -> all.remove(record) && all.isEmpty() ? null : all);
        }
    }

    private static final class Received {
        private final TopicPartition partition;
        private final long offset;
        /** What it is recognised by: as it came, and as a duplicate without its value where there can be one. */
        private final List<Content> contents;
        /** There are others of equal content near it, so that nobody can tell which is which. */
        private boolean repeated;

        Received(InputRecord record, List<Content> contents) {
            this.partition = new TopicPartition(record.topic(), record.partition());
            this.offset = record.offset();
            this.contents = contents;
        }

        Content content() {
            return contents.get(0);
        }

        @Override
        public String toString() {
            return partition + " offset " + offset;
        }
    }

    /**
     * A record that came out.
     *
     * @param source where it came in; null where it does not say so
     * @param hasContent whether it has the key, the value and the headers that came in
     */
    private record Released(
            TopicPartition partition,
            long offset,
            Content content,
            @Nullable Position source,
            boolean hasContent) {
        /** What its input is found by. */
        Object key() {
            return source == null ? content : source;
        }

        @Override
        public String toString() {
            return partition + " offset " + offset;
        }
    }

    /** A record that came in, and the one that says what became of it. */
    private record Matched(Received received, Released released) {
        /** Whether it may be another record of equal content that came out here. */
        boolean isUncertain() {
            return released.source == null && received.repeated;
        }

        @Override
        public String toString() {
            return released + " is " + received;
        }
    }

    /** Two records that seem to have changed places. */
    private static final class Suspect {
        private final String witness;
        private boolean isCleared;

        Suspect(String witness) {
            this.witness = witness;
        }
    }

    /** A partition of an input: its records that have not come out yet as far as was read, and how far others have. */
    private static final class InputSide {
        /** Where its records leave. */
        private final List<TopicPartition> outputs;

        private final Map<Long, Received> waiting = new LinkedHashMap<>();
        /** Of the last that waited. */
        private long keptTimestamp;
        /** The last before which all that left was read. */
        private long lastSettled = -1;
        /** Records after that which were given up: not left yet, or a later one will show that they are lost. */
        private long givenUp;
        /** The first of them. */
        private @Nullable Received firstGivenUp;

        InputSide(List<TopicPartition> outputs) {
            this.outputs = outputs;
        }
    }

    /** A partition of an output: its records for which no input was read yet. */
    private static final class OutputSide {
        private final Map<Long, Released> unmatched = new LinkedHashMap<>();
        /** Of the last that was not matched. */
        private long keptTimestamp;
        /** The first offset at which a record of each input partition came out. */
        private final Map<TopicPartition, Long> first = new HashMap<>();
        /** The first offset of each input partition that came out. */
        private final Map<TopicPartition, Long> firstReceived = new HashMap<>();
        /** The one of each input partition that came out last. */
        private final Map<TopicPartition, Matched> last = new HashMap<>();
    }

    ConservationCheck(AuditedTopics topics) {
        this.topics = topics;
        this.beginnings = new HashMap<>(topics.beginnings());
        this.reader = topics.config().documentReaders().get();
        this.hash = new ContentHash(topics.timestampsKept());
        topics.outputPartitions().forEach(partition -> outputs.put(partition, new OutputSide()));
        topics.inputPartitions().forEach(input -> inputs.put(input, new InputSide(leadingFrom(input))));
    }

    private List<TopicPartition> leadingFrom(TopicPartition input) {
        return outputs.keySet().stream()
                .filter(output -> topics.leadsTo(input, output))
                .toList();
    }

    private InputSide input(TopicPartition partition) {
        return Objects.requireNonNull(inputs.get(partition), partition.toString());
    }

    private OutputSide output(TopicPartition partition) {
        return Objects.requireNonNull(outputs.get(partition), partition.toString());
    }

    // ---- what is read

    void takeInput(InputRecord record) {
        if (record.headers().stream().anyMatch(header -> header.name().indexOf(REPLACEMENT) >= 0)) {
            namesReplaced++;
        }
        Received received = new Received(record, contents(record));
        Content content = received.content();
        // What looked like another one of equal content may have been this one.
        suspectsByContent.all(content).forEach(suspect -> suspect.isCleared = true);
        Matched twin = recent.get(content);
        if (twin != null) {
            twin.received.repeated = true;
            received.repeated = true;
        }
        Optional<Released> released = releasedAlready(received);
        if (released.isPresent()) {
            match(received, released.get());
            return;
        }
        // Of several each knows it already.
        waiting.first(content, other -> true).ifPresent(other -> {
            other.repeated = true;
            received.repeated = true;
        });
        input(received.partition).waiting.put(received.offset, received);
        input(received.partition).keptTimestamp = record.timestamp();
        received.contents.forEach(each -> waiting.add(each, received));
    }

    private List<Content> contents(InputRecord record) {
        boolean mayBeVerdict = !topics.ofVerdicts() && topics.hasDuplicatesWithoutText();
        return mayBeVerdict && reader.read(record) instanceof Document document
                ? List.of(hash.of(record), hash.ofVerdict(record, document.id()))
                : List.of(hash.of(record));
    }

    private Optional<Released> releasedAlready(Received received) {
        TopicPartition partition = received.partition;
        Position source = new Position(partition.topic(), partition.partition(), received.offset);
        return unmatched.first(source, released -> true).or(() -> received.contents.stream()
                .flatMap(content -> unmatched.first(content, released -> fits(received, released)).stream())
                .findFirst());
    }

    /** The next record of an output partition, but those of elsewhere. */
    void takeOutput(RecordOutcome outcome) {
        Released released = released(outcome);
        Position source = released.source;
        Optional<Received> received = source == null
                ? waiting.first(released.content, candidate -> fits(candidate, released))
                : Optional.ofNullable(inputs.get(partition(source))).map(side -> side.waiting.get(source.offset()));
        if (received.isPresent()) {
            match(received.get(), released);
            return;
        }
        if (source != null && isDeleted(source) && !recent.containsKey(source)) {
            // It waits for nothing, and tells how far back its output goes.
            output(released.partition).firstReceived.merge(partition(source), source.offset(), Math::min);
            notJudged++;
            return;
        }
        output(released.partition).unmatched.put(released.offset, released);
        output(released.partition).keptTimestamp = outcome.record().timestamp();
        unmatched.add(released.key(), released);
    }

    private Released released(RecordOutcome outcome) {
        InputRecord record = outcome.record();
        boolean byId = outcome.outcome() == Outcome.DUPLICATE && topics.hasDuplicatesWithoutText();
        return new Released(
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

    private boolean fits(Received received, Released released) {
        return topics.leadsTo(received.partition, released.partition);
    }

    // ---- what belongs together

    private void match(Received received, Released released) {
        InputSide side = input(received.partition);
        if (received.offset >= beginning(received.partition) && released.offset >= beginning(released.partition)) {
            output(released.partition).first.merge(received.partition, released.offset, Math::min);
            output(released.partition).firstReceived.merge(received.partition, received.offset, Math::min);
        }
        if (received.offset > side.lastSettled && topics.isSettled(released.partition, released.offset)) {
            side.lastSettled = received.offset;
            if (side.firstGivenUp != null) { // The oldest were given up: this one is after them all.
                endOfPassed(side.firstGivenUp, side.givenUp);
                side.firstGivenUp = null;
                side.givenUp = 0;
            }
        }
        forget(received);
        forget(released);
        matched++;
        Matched pair = new Matched(received, released);
        received.contents.forEach(content -> recent.put(content, pair));
        if (released.source != null) {
            recent.put(released.source, pair);
            checkSaid(received, released);
        }
        if (!pair.isUncertain()) {
            checkOrder(pair);
        }
    }

    /** On each output partition the records of each input partition stand as they came in. */
    private void checkOrder(Matched now) {
        Map<TopicPartition, Matched> last = output(now.released.partition).last;
        Matched before = last.get(now.received.partition);
        boolean isAfter = before != null && now.released.offset > before.released.offset;
        if (before == null || before.isUncertain() || isAfter) {
            last.put(now.received.partition, now);
        }
        if (before != null && !before.isUncertain() && now.received.offset > before.received.offset != isAfter) {
            suspect(now, before);
        }
    }

    private void suspect(Matched now, Matched before) {
        String witness = now + ", and " + before + ": expected them in the order of the input";
        boolean isCertain = now.released.source != null && before.released.source != null;
        if (isCertain || suspects.size() >= SUSPECTS_MAX) {
            order.add("order", () -> witness);
            return;
        }
        Suspect suspect = new Suspect(witness);
        suspects.add(suspect);
        suspectsByContent.add(now.received.content(), suspect);
        if (!before.received.content().equals(now.received.content())) {
            suspectsByContent.add(before.received.content(), suspect);
        }
    }

    private void forget(Received received) {
        input(received.partition).waiting.remove(received.offset);
        received.contents.forEach(content -> waiting.remove(content, received));
    }

    private void forget(Released released) {
        output(released.partition).unmatched.remove(released.offset);
        unmatched.remove(released.key(), released);
    }

    /** Of a record that says where it came in: whether it is that one, in its place. */
    private void checkSaid(Received received, Released released) {
        List<String> differences = released.hasContent ? received.content().differences(released.content) : List.of();
        if (!differences.isEmpty()) {
            conservation.add(
                    "changed",
                    () -> released + " is " + received + " with another " + String.join(" and another ", differences));
        }
        if (!fits(received, released)) {
            conservation.add("misplaced", () -> released + ": expected none of " + received + " in this partition");
        }
    }

    // ---- bounds and the end

    /**
     * Records before this offset of a partition were deleted before they were read. What was seen of those before them
     * no longer tells from where on all is there.
     */
    void cut(TopicPartition partition, long beginning) {
        beginnings.put(partition, beginning);
        List<OutputSide> changed =
                inputs.containsKey(partition) ? List.copyOf(outputs.values()) : List.of(output(partition));
        changed.forEach(side -> {
            side.first.keySet().removeIf(input -> !inputs.containsKey(partition) || input.equals(partition));
            side.firstReceived.keySet().removeIf(input -> !inputs.containsKey(partition) || input.equals(partition));
        });
    }

    private long beginning(TopicPartition partition) {
        return TopicReading.offset(beginnings, partition);
    }

    private boolean isCut(TopicPartition partition) {
        return beginning(partition) > 0;
    }

    int kept(TopicPartition partition) {
        InputSide side = inputs.get(partition);
        return side == null ? output(partition).unmatched.size() : side.waiting.size();
    }

    /**
     * All partitions wait for each other. Keeps at most so many records of some, and judges the oldest now: of inputs,
     * where what became of them may be deleted from an output that waits too; of an output, where only records of
     * inputs are gone. Where those of outputs are, too, either side may begin later: then of the partition that is
     * behind by its timestamps.
     */
    void giveUp(Set<TopicPartition> unfinished, int keptMax) {
        if (!topics.ofVerdicts() && inputs.keySet().stream().anyMatch(input -> isCut(input) || isCompacted(input))) {
            boolean areOutputsWhole = outputs.keySet().stream().noneMatch(this::isCut);
            giveUp(
                    unfinished.stream()
                            .min(Comparator.comparing((TopicPartition partition) ->
                                            !areOutputsWhole || !mayWaitForGone(partition))
                                    .thenComparingLong(this::keptTimestamp)
                                    .thenComparing(outputs::containsKey))
                            .orElseThrow(),
                    keptMax);
            return;
        }
        List<TopicPartition> early = unfinished.stream()
                .filter(partition -> inputs.containsKey(partition)
                        && input(partition).outputs.stream()
                                .anyMatch(output -> !output(output).unmatched.isEmpty()
                                        && deletedBefore(partition, output) == Long.MAX_VALUE))
                .toList();
        if (early.isEmpty()) {
            early = unfinished.stream().filter(this::mayWaitForGone).toList();
        }
        (early.isEmpty() ? unfinished : early).forEach(partition -> giveUp(partition, keptMax));
    }

    /** Whether it is an output that may wait for what is gone of an input. No deleted source is waited for. */
    private boolean mayWaitForGone(TopicPartition partition) {
        boolean hasSources =
                topics.ofVerdicts() || partition.topic().equals(topics.config().deadLetterTopic());
        return outputs.containsKey(partition)
                && inputs.keySet().stream()
                        .filter(input -> topics.leadsTo(input, partition))
                        .anyMatch(input -> isCompacted(input)
                                || (isCut(input)
                                        && !hasSources
                                        && !output(partition).first.containsKey(input)));
    }

    private boolean isCompacted(TopicPartition partition) {
        return topics.compacted().contains(partition.topic());
    }

    private long keptTimestamp(TopicPartition partition) {
        return inputs.containsKey(partition) ? input(partition).keptTimestamp : output(partition).keptTimestamp;
    }

    private void giveUp(TopicPartition partition, int keptMax) {
        if (inputs.containsKey(partition)) {
            oldest(input(partition).waiting, keptMax).forEach(this::endOf);
        } else {
            haveOutputsGivenUp |= !isAllRead;
            oldest(output(partition).unmatched, keptMax).forEach(this::endOf);
        }
    }

    private static <T> List<T> oldest(Map<Long, T> kept, int keptMax) {
        return kept.values().stream().limit(Math.max(0, kept.size() - keptMax)).toList();
    }

    private void endOf(Received received) {
        forget(received);
        InputSide side = input(received.partition);
        TopicPartition partition = received.partition;
        if (side.outputs.stream()
                .anyMatch(output ->
                        received.offset < deletedBefore(partition, output) && !tellsNothing(partition, output))) {
            notJudged++;
        } else if (received.offset < side.lastSettled) {
            endOfPassed(received, 1);
        } else {
            side.firstGivenUp = side.givenUp == 0 ? received : side.firstGivenUp;
            side.givenUp++;
        }
    }

    /** So many records of an input partition, of which a later one has left. */
    private void endOfPassed(Received first, long records) {
        TopicPartition partition = first.partition;
        boolean mayBeGivenUp = isCompacted(partition) && haveOutputsGivenUp;
        if (mayBeGivenUp || input(partition).outputs.stream().anyMatch(output -> tellsNothing(partition, output))) {
            notKnown += records;
        } else {
            for (long record = 0; record < records; record++) {
                conservation.add(
                        "lost", () -> first + " is on none of the outputs, and a later record of its partition is");
            }
        }
    }

    /** The offset of an input before which what became of its records may be deleted from where they leave. */
    private long deletedBefore(TopicPartition input, TopicPartition output) {
        if (!topics.ofVerdicts() && !isCut(output) && !isCompacted(output)) {
            return 0;
        }
        return isCompacted(output)
                ? Long.MAX_VALUE
                : output(output).firstReceived.getOrDefault(input, Long.MAX_VALUE);
    }

    /** Of an output of which others have left: whether it may have had any record of the input partition. */
    private boolean tellsNothing(TopicPartition input, TopicPartition output) {
        boolean isEmptied = isCut(output)
                && (isAllRead || output(output).unmatched.isEmpty())
                && !output(output).firstReceived.containsKey(input);
        return !topics.ofVerdicts() && input(input).lastSettled >= 0 && (isEmptied || isCompacted(output));
    }

    private void endOf(Released released) {
        forget(released);
        Position source = released.source;
        Matched twin = source != null && recent.containsKey(source) ? recent.get(source) : recent.get(released.content);
        if (mayBeOfDeleted(released)) {
            notJudged++;
        } else if (twin != null) {
            conservation.add("doubled", () -> released + " is " + twin.received + " once more; " + twin);
        } else if (source != null && hasLeft(source)) {
            conservation.add("doubled", () -> released + " is " + RecordOutcome.at(source) + " once more");
        } else {
            conservation.add("strange", () -> released + " is no record of the input");
        }
    }

    private boolean mayBeOfDeleted(Released released) {
        Position source = released.source;
        if (source != null && inputs.containsKey(partition(source))) {
            return topics.compacted().contains(source.topic()) && !recent.containsKey(source);
        }
        return inputs.keySet().stream()
                .filter(input -> topics.leadsTo(input, released.partition))
                .anyMatch(input -> isCompacted(input)
                        || (isCut(input)
                                && released.offset
                                        < output(released.partition).first.getOrDefault(input, Long.MAX_VALUE)));
    }

    private boolean isDeleted(Position source) {
        TopicPartition input = partition(source);
        return inputs.containsKey(input) && source.offset() < beginning(input);
    }

    private boolean hasLeft(Position source) {
        InputSide side = inputs.get(partition(source));
        return side != null && source.offset() <= side.lastSettled;
    }

    /** All was read: what is kept belongs to nothing. */
    void end() {
        isAllRead = true;
        inputs.keySet().forEach(partition -> giveUp(partition, 0));
        outputs.keySet().forEach(partition -> giveUp(partition, 0));
        suspects.stream()
                .filter(suspect -> !suspect.isCleared)
                .forEach(suspect -> order.add("order", () -> suspect.witness));
    }

    // ---- what was found

    /** Whether there may be originals whose verdicts are deleted, or were never there. */
    boolean hasNotJudged() {
        return notJudged > 0;
    }

    /** Of each input partition the offset after the last record that is known to have left. */
    Map<TopicPartition, Long> firstNotLeft() {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        inputs.forEach((partition, side) -> offsets.put(partition, side.lastSettled + 1));
        return offsets;
    }

    PromiseReport conservation() {
        boolean ofRecords = !topics.ofVerdicts();
        long notLeft = inputs.values().stream().mapToLong(side -> side.givenUp).sum();
        conservation.note(notLeft, "records at the ends of input partitions have not left yet");
        conservation.note(
                notJudged,
                "records were not judged: their counterpart was deleted, or they came in before verdicts were written");
        conservation.note(
                notKnown,
                "records are on no output: lost, or deleted from an output that is compacted or holds nothing else of"
                        + " their partition, or given up there, as too much of a compacted input is gone");
        conservation.note(
                ofRecords ? namesReplaced : 0,
                "records have U+FFFD in the name of a header: unless their producers wrote it, the name was not UTF-8"
                        + " and leaves changed");
        conservation.note(
                ofRecords && !topics.timestampsKept(),
                "timestamps are not compared, as the brokers set those of an output");
        conservation.note(
                ofRecords && topics.hasDuplicatesWithoutText(),
                "values of duplicates are not compared, as they are verdicts");
        return conservation
                .report(topics.promise("conservation"), matched, "records")
                .knownIf(notKnown == 0 && (matched > 0 || notJudged == 0))
                .unlessExcused(topics.inputsChanged(), INPUTS_CHANGED);
    }

    PromiseReport order() {
        return order.report(topics.promise("order"), matched, "records")
                .unlessExcused(topics.inputsChanged(), INPUTS_CHANGED)
                .unlessExcused(
                        inputs.keySet().stream().anyMatch(this::isCompacted),
                        "an input is compacted: what seems out of order may be of an earlier record of equal content");
    }
}
