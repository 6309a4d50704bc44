package io.neardup.simulation;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What the simulation must notice: of each mutant its name and the promise that it breaks, then what stands in the
 * protocol, and what stands there instead. Whoever changes the protocol mends the snippets here.
 */
final class Mutants {
    static final List<Mutant> ALL = mutants("""
        a younger candidate waits instead of yielding: waiting|stuck
          - isMatch(compared) && session.isYounger(document)
          + false
        a document of a seed is an original before it is in its buckets: no-remaining-duplicates|sequential
          - return unansweredPartitions.isEmpty();
          + return unansweredPartitions.isEmpty() || !isJudged;
        a document of a seed is compared: seed
          - document.allPartitionsAnswered() && document.isJudged
          + document.allPartitionsAnswered()
        a younger candidate yields and asks nobody: no-remaining-duplicates
          - document.yieldTo(session.order);
          +
        nobody learns of a coordinator that has forgotten who waited: waiting
          - if (epoch > 1) {
          + if (false) {
        nobody is asked in place of a candidate that redirects: no-remaining-duplicates
          - redirects.addAll(answer.redirects());
          +
        a document with many candidates follows no redirects: no-remaining-duplicates
          - asked >= manyMin
          + false
        one that is certain to be a duplicate answers nobody: waiting|stuck
          - answerWaiters(document, false);
          + document.waiters.clear();
        one that is certain to be a duplicate is waited for until it is decided: hops
          - document.isCertainDuplicate || replacesVersions
          + true
        one that may replace a version is taken for a duplicate: index|no-remaining-duplicates|versions
          - document.isCertainDuplicate || replacesVersions
          + document.isCertainDuplicate
        a pending candidate does not redirect to whom it yielded to: no-remaining-duplicates
          - session.redirectTo(document.oldestYieldedTo());
          +
        answers to an earlier epoch count: index|no-remaining-duplicates
          - answered == epoch ?
          + answered > 0 ?
        a pending candidate answers that it is no original: no-remaining-duplicates
          - document.addWaiter(session, whole.similarity());
          +
        a pending candidate answers that it is an original: valid-reference
          - document.addWaiter(session, whole.similarity())
          + session.add(whole)
        a waiter is forgotten: waiting
          - waiters.add(new Waiter(session, similarity));
          + waiters.clear(); waiters.add(new Waiter(session, similarity));
        nobody asks a candidate again: stuck
          - unanswered().forEach(request -> outbox.toCoordinator(request.message.coordinator(), request.message));
          +
        nobody asks an index partition again: stuck
          - document.isDueToAsk(nowMillis)
          + false
        the answer of one index partition counts for all: no-remaining-duplicates
          - unansweredPartitions.clear(answer.indexPartition());
          + unansweredPartitions.clear();
        the answer of one coordinator counts for all: no-remaining-duplicates
          - request.isAnswered = true;
          + requests.forEach(one -> one.isAnswered = true);
        unique documents leave the buckets: no-remaining-duplicates
          - keep(document);
          + keep(document); originals.removeFromBuckets(ref, document.document.keys());
        duplicates stay in the buckets: index
          - originals.removeFromBuckets(document.ref(), document.document.keys());
          +
        nobody learns of a document that its coordinator does not know any more: stray
          - if (++unknownSinceAskAgain <= UNKNOWN_MAX) {
          + if (false) {
        what has still to arrive again is answered as unknown: index|no-remaining-duplicates
          - sequences.isPast(candidate) &&
          +
        a new version does not wait for the one before it: versions
          - && !awaitsEarlierVersion(document)
          +
        a version that was replaced stays an original: versions
          - earlier.forEach(originals::remove);
          +
        a new version is judged as any other: versions
          - replaces ? Decision.UNIQUE : byBestMatch(document)
          + byBestMatch(document)
        who waits gets an original that is none: valid-reference
          - answerWaiters(document, original);
          + answerWaiters(document, true);
        a lookup puts nothing into the buckets: no-remaining-duplicates
          - state.insert(lookup.document(), lookup.keys());
          +
        a decision is not recalled after a restart: valid-reference
          - sequences.isOfEarlierEpoch(ref.sequence()) ?
          + false ?
        a record that is read again gets another number: valid-reference
          - begun -> isReadAgain
          + begun -> false
        nobody waits for what has still to arrive again: no-remaining-duplicates
          - expected.filter(block -> block.order(candidate).isOlderThan(session.order)).isPresent()) {
          + false) {
        the event clock starts anew after a restart: no-remaining-duplicates
          - new EventClock(expiry.eventMillis())
          + new EventClock(0)
        the event clock is not noted by who relies on it: no-remaining-duplicates
          - note(new Expiry(expiry.nextSequence(), clock.millis())); return
          + return
        a pending document does not see its tombstone: tombstone
          - && !originals.hasTombstone(ref, document.origin)
          +
        a tombstone removes what came after it: forgotten
          - originals.removeBefore(key, ref.sequence())
          + originals.removeBefore(key, Long.MAX_VALUE)
        a tombstone does not count for what comes again behind it: tombstone
          - isFull(removeSlice(tombstone, 0)) || sequences.isInFlightBefore(sequence)
          + isFull(removeSlice(tombstone, 0))
        a tombstone is forgotten before what comes again behind it: tombstone
          - if (!sequences.isInFlightBefore(open.beforeSequence())) {
          + if (true) {
        a tombstone has a smaller number than what was read before it: tombstone
          - bySequence.isEmpty() ? 0 : bySequence.lastKey()
          + 0
        what is read after a tombstone has a smaller number: forgotten
          - lastTombstone + 1
          + 0
        a tombstone leaves what is of another topic and has a greater number: tombstone
          - if (!sequences.isInFlight(original.ref())) {
          + if (false) {
        a tombstone removes what leaves behind it: forgotten
          - if (!sequences.isInFlight(original.ref())) {
          + if (true) {
        what has a tombstone and is not removed yet is still an original: tombstone
          - original -> !hasTombstone(ref, original.origin())
          + original -> true
        a restart forgets a tombstone that has originals left: tombstone
          - state.tombstones().forEach(noted -> tombstones.put(noted.key(), noted));
          +
        a tombstone removes no more than one slice: tombstone
          - keepTombstone(tombstone);
          +
        what is withdrawn stays an original: withdrawn
          - withdrawn.accept(head.ref);
          +
        what a step has no time to verify is dropped: no-remaining-duplicates
          - if (session.isDone()) { sessions.removeFirst();
          + { sessions.removeFirst();
        a candidate whose sketch is not known is dropped: no-remaining-duplicates
          - if (differences == SketchTable.UNKNOWN) { session.addLikely(candidate, FIRST);
          + if (differences == SketchTable.UNKNOWN) {
        the cut drops those that are just alike enough: no-remaining-duplicates
          - differences > rules.differencesMax()
          + differences >= rules.differencesMax()
        a bitmap rules out whom it says nothing of: no-remaining-duplicates
          - candidate != null && asker.isBelow(needed, candidate)
          + candidate != null
        the nearest below the threshold is named with a bound of its similarity: nearest
          - isWantedBelow ? session.similarityBelow() : needed(session)
          + needed(session)
        the nearest below the threshold may have come later: nearest
          - && !candidate.isLaterThan(session.key.asker());
          + ;
        a sketch stays when its original goes: sketches
          - sketches.remove(original.ref().sequence());
          +
        what lies beyond the bound is not marked: no-remaining-duplicates
          - met.add(Bound.RANK);
          +
        candidates that are not returned are not marked: no-remaining-duplicates
          - if (truncated > 0) {
          + if (false) {
        a full bucket is not marked: no-remaining-duplicates
          - met.add(Bound.BUCKET);
          +
        what an earlier epoch read is left to the successor: handover|waiting|stuck
          - Math.max(topic.nextToRead, topic.position.readEnd())
          + topic.nextToRead
        a bucket that has room again does not take who asks again: no-remaining-duplicates
          - } else if (hasRoomAgain(known)) {
          + } else if (false) {
        the mark of an original is lost in a crash: no-remaining-duplicates
          - isOriginal && decision.equals(Decision.UNIQUE)
          + isOriginal
        who asks gets no answer: waiting|stuck
          - outbox.toCoordinator(complete.key.asker().coordinator(), complete.message());
          +
        nobody is told that likely ones lie beyond the bound: no-remaining-duplicates
          - session.notCompared++;
          +
        who lay beyond the bound is never asked about: no-remaining-duplicates
          - !(isOfFound && isBounded) && message
          + message
        the likeliest do not come first: no-remaining-duplicates
          - Arrays.sort(candidates, 0, size);
          +
        undecided younger ones have no bound of their own: no-remaining-duplicates
          - comparedInRound = 0;
          +
        undecided younger ones are never compared: no-remaining-duplicates
          - candidates[deferred++] = candidates[next - 1];
          +
        expiry never looks at what comes late: expired
          - if (ref.sequence() < expiry.nextSequence()) {
          + if (false) {
        the fixed position is one too low: conservation or order|handover
          - positions.put(topic, position == null ? beginning.applyAsLong(topic) : position);
          + positions.put(topic, position == null ? beginning.applyAsLong(topic) : position - 1);
        the record at the fixed position is taken: conservation or order|handover
          - at.offset() >= end(at.topic())
          + at.offset() > end(at.topic())
        a coordinator is empty that holds records: conservation or order|handover
          - && queue.size() == 0
          +
        a coordinator is empty before it has read again up to where it stopped: conservation or order|handover
          - && noted.positions().keySet().stream().allMatch(this::hasReadAll)
          +
        a coordinator is empty while a tombstone has originals left: handover
          - && !originals.hasOpenTombstones()
          +
        a restart forgets what is left: conservation or order|handover|waiting|stuck
          - noted = state.handover().orElse(null);
          +
        the successor begins before it has learned of all originals: conservation or order|waiting|stuck
          - return !takenOver.equals(TakenOver.NONE);
          + return true;
        the successor begins one record late: conservation or order|waiting|stuck
          - end.starts().forEach(sequences::startAt);
          + end.starts().forEach((topic, start) -> sequences.startAt(topic, start + 1));
        the successor begins one record early: conservation or order|waiting|stuck
          - end.starts().forEach(sequences::startAt);
          + end.starts().forEach((topic, start) -> sequences.startAt(topic, start - 1));
        where the successor begins is forgotten: conservation or order|waiting|stuck
          - end.starts().forEach(sequences::startAt);
          +
        the event clock of a successor starts anew: takeover
          - originals.advanceClockTo(end.eventMillis());
          +
        the successor forgets that it has taken over: waiting|stuck
          - state.noteTakenOver(takenOver);
          +
        what the predecessor removes stays an original: takeover
          - state.originalsTakenOverAs(removed.predecessorRef()).forEach(originals::remove);
          +
        nobody learns that an original of the predecessor was repeated: takeover
          - entry -> state.noteRepeat(entry.ref(), repeated.eventMillis())
          + entry -> {}
        what the successor learns takes effect at once: takeover
          - holdAsRecalledOrUnjudged(ref, at, payload, () -> migrationTarget.apply(change, ref));
          + migrationTarget.apply(change, ref); holdAsRecalledOrUnjudged(ref, at, payload, () -> {});
        an original of the predecessor is compared: takeover|valid-reference|index
          - original.document(), original.origin(), false, nowMillis
          + original.document(), original.origin(), true, nowMillis
        a decision that was noted outlives its record: decisions
          - if (head.isNoted) {
          + if (false) {
        a decision that an earlier epoch noted outlives its record: decisions
          - held.isNoted = true; // Perhaps by an earlier epoch.
          +
        records leave in another order than they came: conservation or order
          - records = new LinkedHashMap<>();
          + records = new java.util.TreeMap<>(java.util.Comparator.reverseOrder());
        """);

    /** Caught once in some thousand crashing runs. */
    static final List<Mutant> RARE = mutants("""
        one that waits no more for a certain duplicate is repeated by it: sequential
          - neighbour.ref().isLaterThan(asker)
          + false
        answers about candidates to an earlier epoch count: no-remaining-duplicates
          - awaiting(answer.asker(), answer.epoch())
          + Optional.ofNullable(queue.pending(answer.asker()))
        a change of the predecessor that is read again is not taken as it was decided: no-remaining-duplicates
          - holdAsRecalledOrUnjudged(ref, at, payload, () -> migrationTarget
          + queue.holdDecided(ref, at, payload, Decision.UNJUDGED, () -> migrationTarget
        how far an earlier epoch read is forgotten when a record is read again: index
          - Math.max(position.readEnd(), nextToRead)
          + nextToRead
        of two tombstones of a key the last to come counts: tombstone
          - known == null || known.beforeSequence() < tombstone.beforeSequence()
          + true
        what is removed while it is held is judged again: valid-reference|versions
          - queue.noteUnique(original.ref());
          +
        """);

    private Mutants() {}

    private static List<Mutant> mutants(String listed) {
        List<String> lines = listed.lines().toList();
        return IntStream.range(0, lines.size() / 3)
                .mapToObj(i -> mutant(lines.get(3 * i), lines.get(3 * i + 1), lines.get(3 * i + 2)))
                .toList();
    }

    private static Mutant mutant(String head, String before, String after) {
        String[] parts = head.split(": ", 2);
        return new Mutant(parts[0], change("  -", before), change("  +", after), parts[1]);
    }

    private static String change(String sign, String line) {
        if (!line.startsWith(sign)) {
            throw new AssertionError("expected a line with " + sign.strip() + ", found " + line);
        }
        return line.substring(sign.length()).strip();
    }
}
