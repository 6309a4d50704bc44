package io.neardup.tools.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Position;
import io.neardup.tools.audit.PromiseReport.Findings;
import io.neardup.tools.feed.DeadLetter;
import io.neardup.tools.feed.TopicReading;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Stream;
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
    /**
     * Of so many records that have left it is known where, so that one that comes out twice is no strange one. Their
     * order is judged behind that: by then those of equal content have come in, too.
     */
    private static final int RECENT = 100_000;
    /** Kafka's client has it for what is not UTF-8 in the name of a header; what it stands for is not to be seen. */
    private static final char REPLACEMENT = '\uFFFD';

    private final AuditedTopics topics;
    private final DocumentReader reader;
    private final ContentHash hash = new ContentHash();
    private final Findings conservation = new Findings();
    private final Findings order = new Findings();
    private final Map<TopicPartition, Side> sides = new HashMap<>();
    private final Map<Object, Alike> known = new HashMap<>();
    private final Queue<Matched> recent = new ArrayDeque<>();

    /** Records that came in and out. */
    private long matched;
    /** Records whose other side was deleted, as it is older than what is there. */
    private long notJudged;
    /** Records that came in and have not left yet, with none behind them that has. */
    private long notLeft;
    /** Records of the input with a header whose name was not UTF-8, or has the character that stands for that. */
    private long namesReplaced;

    /**
     * What a record is recognised by where nothing says its place.
     *
     * @param timestamp milliseconds since 1970; 0 where it is not compared
     */
    private record Content(long hash, long timestamp) {}

    /** Records that are recognised by the same: a {@link Content}, or a {@link Position} in the input. */
    private static final class Alike {
        private final Object key;
        private final Deque<Seen> in = new ArrayDeque<>(1);
        private final Deque<Seen> out = new ArrayDeque<>(1);
        /** How many of the recent are such, and the last of these. */
        private int recent;

        private @Nullable Matched last;
        /** Several came in near each other, so that nobody can tell which of them is which. */
        private boolean isRepeated;

        Alike(Object key) {
            this.key = key;
        }
    }

    /**
     * A record that came in or out.
     *
     * @param hash of the content that it came in with; null where an output does not say its place, or has not all
     * @param alike by what it is recognised: what came in by its place, its content, and that of a verdict on it; what
     *     came out by one of these
     */
    private record Seen(
            TopicPartition partition, long offset, @Nullable Long hash, List<Alike> alike) {

        Seen(InputRecord record, @Nullable Long hash, List<Alike> alike) {
            this(new TopicPartition(record.topic(), record.partition()), record.offset(), hash, alike);
        }

        /** Where it came in, if it says so. */
        Optional<Position> source() {
            return alike.get(0).key instanceof Position source ? Optional.of(source) : Optional.empty();
        }

        @Override
        public String toString() {
            return partition + " offset " + offset;
        }
    }

    /** A record that came in, and the one that says what became of it. */
    private record Matched(Seen in, Seen out) {
        /** Whether it may be another record of equal content that came out here. */
        boolean isUncertain() {
            return out.source().isEmpty() && in.alike.stream().anyMatch(alike -> alike.isRepeated);
        }

        @Override
        public String toString() {
            return out + " is " + in;
        }
    }

    /** A partition. */
    private static final class Side {
        /** Its records of which the other side was not read yet. */
        private final Set<Seen> open = new LinkedHashSet<>();
        /** Of an input: the offsets that are known to have left, the first, the last, and the last before which all. */
        private long firstLeft = Long.MAX_VALUE;

        private long lastLeft = -1;
        private long lastSettled = -1;
        /** Of an output: the first offset at which a record of each input partition came out. */
        private final Map<TopicPartition, Long> first = new HashMap<>();
        /** Of an output: the one of each input partition that came out furthest behind. */
        private final Map<TopicPartition, Matched> last = new HashMap<>();
    }

    ConservationCheck(AuditedTopics topics) {
        this.topics = topics;
        this.reader = topics.config().documentReaders().get();
        topics.beginnings().keySet().forEach(partition -> sides.put(partition, new Side()));
    }

    private Side side(TopicPartition partition) {
        return Objects.requireNonNull(sides.get(partition), partition.toString());
    }

    // ---- what is read

    /** The next record of an input partition. */
    void takeInput(InputRecord record) {
        if (record.headers().stream().anyMatch(header -> header.name().indexOf(REPLACEMENT) >= 0)) {
            namesReplaced++;
        }
        Seen in = in(record);
        for (Alike alike : in.alike) {
            alike.isRepeated |= alike.recent > 0 || !alike.in.isEmpty();
            alike.in.add(in);
        }
        side(in.partition).open.add(in);
        in.alike.stream()
                .flatMap(alike -> alike.out.stream())
                .filter(out -> fits(in, out))
                .findFirst()
                .ifPresent(out -> match(new Matched(in, out)));
    }

    private Seen in(InputRecord record) {
        List<Alike> alike = new ArrayList<>();
        alike.add(alike(new Position(record.topic(), record.partition(), record.offset())));
        if (topics.ofVerdicts()) {
            return new Seen(record, null, alike);
        }
        long content = hash.of(record);
        alike.add(alike(content, record));
        if (topics.hasDuplicatesWithoutText() && reader.read(record) instanceof Document document) {
            alike.add(ofVerdict(record, document.id()));
        }
        return new Seen(record, content, alike);
    }

    private Alike alike(Object key) {
        return known.computeIfAbsent(key, Alike::new);
    }

    /** A record of before Kafka 0.10 has -1 for its timestamp and leaves with 0. */
    private Alike alike(long content, InputRecord record) {
        return alike(new Content(content, topics.timestampsKept() ? Math.max(0, record.timestamp()) : 0));
    }

    /** Of a record whose value was replaced: its id stands for that. */
    private Alike ofVerdict(InputRecord record, String id) {
        return alike(hash.of(record, id.getBytes(UTF_8)), record);
    }

    /** The next record of an output partition, but those of elsewhere. */
    void takeOutput(RecordOutcome outcome) {
        Seen out = out(outcome);
        Alike alike = out.alike.get(0);
        alike.out.add(out);
        side(out.partition).open.add(out);
        alike.in.stream().filter(in -> fits(in, out)).findFirst().ifPresent(in -> match(new Matched(in, out)));
    }

    private Seen out(RecordOutcome outcome) {
        InputRecord record = outcome.record();
        if (outcome.source() != null) {
            Long content = DeadLetter.of(record)
                    .filter(DeadLetter::isWhole)
                    .map(letter -> hash.of(letter.input()))
                    .orElse(null);
            return new Seen(record, content, List.of(alike(outcome.source())));
        }
        boolean isVerdict = outcome.outcome() == Outcome.DUPLICATE && topics.hasDuplicatesWithoutText();
        Alike alike = isVerdict ? ofVerdict(record, outcome.id().orElse("")) : alike(hash.of(record), record);
        return new Seen(record, null, List.of(alike));
    }

    private boolean fits(Seen in, Seen out) {
        return topics.leadsTo(in.partition, out.partition);
    }

    // ---- what belongs together

    private void match(Matched pair) {
        Seen in = pair.in;
        Seen out = pair.out;
        matched++;
        Side side = side(in.partition);
        side.firstLeft = Math.min(side.firstLeft, in.offset);
        side.lastLeft = Math.max(side.lastLeft, in.offset);
        if (topics.isSettled(out.partition, out.offset)) {
            side.lastSettled = Math.max(side.lastSettled, in.offset);
        }
        side(out.partition).first.merge(in.partition, out.offset, Math::min);
        if (out.hash != null && !out.hash.equals(in.hash)) {
            conservation.add("changed", () -> pair + " with another key, value or headers");
        }
        for (Alike alike : in.alike) {
            alike.recent++;
            alike.last = pair;
        }
        recent.add(pair);
        forget(in);
        forget(out);
        if (recent.size() > RECENT) {
            endOfOldest();
        }
    }

    private void forget(Seen seen) {
        side(seen.partition).open.remove(seen);
        for (Alike alike : seen.alike) {
            alike.in.remove(seen);
            alike.out.remove(seen);
            dropUnused(alike);
        }
    }

    private void dropUnused(Alike alike) {
        if (alike.recent == 0 && alike.in.isEmpty() && alike.out.isEmpty()) {
            known.remove(alike.key);
        }
    }

    private void endOfOldest() {
        Matched oldest = recent.remove();
        if (!oldest.isUncertain()) {
            checkOrder(oldest);
        }
        for (Alike alike : oldest.in.alike) {
            alike.recent--;
            dropUnused(alike);
        }
    }

    /** On each output partition the records of each input partition stand as they came in. */
    private void checkOrder(Matched now) {
        Map<TopicPartition, Matched> last = side(now.out.partition).last;
        Matched before = last.get(now.in.partition);
        boolean isBehind = before == null || now.out.offset > before.out.offset;
        if (isBehind) {
            last.put(now.in.partition, now);
        }
        if (before != null && now.in.offset > before.in.offset != isBehind) {
            order.add("order", () -> now + ", and " + before + ": expected them in the order of the input");
        }
    }

    // ---- bounds and the end

    /** How many records of the partition are kept. */
    int kept(TopicPartition partition) {
        return side(partition).open.size();
    }

    /** Not where all outputs are read, and each of their records has its input: the rest has not left yet. */
    boolean needsMore(Set<TopicPartition> unfinished) {
        return Stream.concat(unfinished.stream(), sides.keySet().stream().filter(partition -> kept(partition) > 0))
                .anyMatch(partition -> !topics.isInput(partition.topic()));
    }

    /**
     * All partitions wait for each other. Keeps at most so many records of each, and judges the oldest now; first those
     * of inputs of which nothing has come out yet, where what became of them may be deleted.
     */
    void giveUp(Set<TopicPartition> unfinished, int keptMax) {
        List<TopicPartition> early = unfinished.stream()
                .filter(partition -> topics.isBegunLate()
                        && topics.isInput(partition.topic())
                        && side(partition).firstLeft == Long.MAX_VALUE)
                .toList();
        (early.isEmpty() ? unfinished : early).forEach(partition -> giveUp(partition, keptMax));
    }

    private void giveUp(TopicPartition partition, int keptMax) {
        int surplus = Math.max(0, kept(partition) - keptMax);
        for (Seen oldest : side(partition).open.stream().limit(surplus).toList()) {
            forget(oldest);
            if (topics.isInput(partition.topic())) {
                endOfInput(oldest);
            } else {
                endOfOutput(oldest);
            }
        }
    }

    private void endOfInput(Seen in) {
        Side side = side(in.partition);
        if (in.offset < side.firstLeft && topics.isBegunLate()) {
            notJudged++;
        } else if (in.offset < side.lastSettled) {
            String found = topics.ofVerdicts()
                    ? " has no verdict, and a later record of its partition has"
                    : " is on none of the outputs, and a later record of its partition is";
            conservation.add("lost", () -> in + found);
        } else {
            notLeft++;
        }
    }

    private void endOfOutput(Seen out) {
        Matched before = out.alike.get(0).last;
        Optional<Position> hasLeft = out.source().filter(this::hasLeft);
        if (mayBeOfDeleted(out)) {
            notJudged++;
        } else if (before != null) {
            conservation.add("doubled", () -> out + " is " + before.in + " once more; " + before);
        } else if (hasLeft.isPresent()) {
            conservation.add("doubled", () -> out + " is " + RecordOutcome.at(hasLeft.get()) + " once more");
        } else {
            conservation.add("strange", () -> out + " is no record of the input");
        }
    }

    private boolean mayBeOfDeleted(Seen out) {
        Optional<TopicPartition> source =
                out.source().map(ConservationCheck::partition).filter(sides::containsKey);
        if (source.isPresent()) {
            return out.source().orElseThrow().offset() < TopicReading.of(topics.beginnings(), source.get());
        }
        return topics.inputPartitions().stream()
                .anyMatch(input -> topics.isCut(input)
                        && topics.leadsTo(input, out.partition)
                        && out.offset < side(out.partition).first.getOrDefault(input, Long.MAX_VALUE));
    }

    private static TopicPartition partition(Position source) {
        return new TopicPartition(source.topic(), source.partition());
    }

    private boolean hasLeft(Position source) {
        Side side = sides.get(partition(source));
        return side != null && source.offset() <= side.lastLeft;
    }

    /** All was read: what is kept belongs to nothing. */
    void end() {
        topics.inputPartitions().forEach(partition -> giveUp(partition, 0));
        topics.outputPartitions().forEach(partition -> giveUp(partition, 0));
        while (!recent.isEmpty()) {
            endOfOldest();
        }
    }

    // ---- what was found

    /** Whether there may be originals whose verdicts are deleted, or were never there. */
    boolean hasNotJudged() {
        return notJudged > 0;
    }

    /** Of each input partition the offset behind the last record that is known to have left. */
    Map<TopicPartition, Long> firstNotLeft() {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        topics.inputPartitions().forEach(partition -> offsets.put(partition, side(partition).lastSettled + 1));
        return offsets;
    }

    PromiseReport conservation() {
        boolean ofRecords = !topics.ofVerdicts();
        conservation.note(notLeft, "records or more at the ends of input partitions have not left yet");
        conservation.note(
                notJudged,
                ofRecords
                        ? "records: what belongs to them was deleted from the beginning of a topic"
                        : "records came in before there were verdicts, or are deleted");
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
        return conservation.report(topics.promise("conservation"), matched, "records");
    }

    PromiseReport order() {
        return order.report(topics.promise("order"), matched, "records");
    }
}
