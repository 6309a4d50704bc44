package io.neardup.simulation;

import java.util.List;

/** What the simulation must notice. Whoever changes the protocol mends the snippets here. */
final class Mutants {
    static final List<Mutant> ALL = List.of(
            new Mutant(
                    "a younger candidate waits instead of yielding",
                    "isMatch(compared) && !session.isOutside() && session.isYounger(document)",
                    "false",
                    "waiting|stuck"),
            new Mutant(
                    "a document of a seed is an original before it is in its buckets",
                    "document.isAnswered() && !awaits",
                    "(document.isAnswered() || !document.isJudged) && !awaits",
                    "no-remaining-duplicates|sequential"),
            new Mutant(
                    "a document of a seed is compared",
                    "document.allPartitionsAnswered() && document.isJudged",
                    "document.allPartitionsAnswered()",
                    "seed"),
            new Mutant(
                    "a younger candidate yields and asks nobody",
                    "document.yieldTo(session.order);",
                    "",
                    "no-remaining-duplicates"),
            new Mutant(
                    "nobody learns of a coordinator that has forgotten who waited",
                    "if (epoch > 1) {",
                    "if (false) {",
                    "waiting"),
            new Mutant(
                    "nobody is asked in place of a candidate that redirects",
                    "redirects.add(other);",
                    "",
                    "no-remaining-duplicates"),
            new Mutant(
                    "a document with many candidates follows no redirects",
                    "asked >= manyMin",
                    "false",
                    "no-remaining-duplicates"),
            new Mutant(
                    "one that is certain to be a duplicate answers nobody",
                    "answerWaiters(document, false);",
                    "document.releaseWaiters(waiter -> {});",
                    "waiting|stuck"),
            new Mutant(
                    "one that is certain to be a duplicate is waited for until it is decided",
                    "document.isCertainDuplicate || replacesVersions",
                    "true",
                    "hops"),
            new Mutant(
                    "one that may replace a version is taken for a duplicate",
                    "document.isCertainDuplicate || replacesVersions",
                    "document.isCertainDuplicate",
                    "index|no-remaining-duplicates|versions"),
            new Mutant(
                    "a pending candidate does not redirect to whom it yielded to",
                    "answer.redirectTo(document.oldestYieldedTo());",
                    "",
                    "no-remaining-duplicates"),
            new Mutant(
                    "answers to an earlier epoch count",
                    "answered == epoch ?",
                    "answered > 0 ?",
                    "index|no-remaining-duplicates"),
            new Mutant(
                    "a pending candidate answers that it is no original",
                    "document.addWaiter(answer, reported.similarity())",
                    "{}",
                    "no-remaining-duplicates"),
            new Mutant(
                    "a pending candidate answers that it is an original",
                    "document.addWaiter(answer, reported.similarity())",
                    "answer.add(reported)",
                    "valid-reference"),
            new Mutant(
                    "a waiter is forgotten",
                    "waiters.add(new Waiter(answer, similarity));",
                    "waiters.clear(); waiters.add(new Waiter(answer, similarity));",
                    "waiting"),
            new Mutant(
                    "nobody asks a candidate again",
                    "unanswered().forEach(request -> outbox.toCoordinator(request.coordinator(), request.message));",
                    "",
                    "stuck"),
            new Mutant("nobody asks an index partition again", "document.isDueToAsk(nowMillis)", "false", "stuck"),
            new Mutant(
                    "the answer of one index partition counts for all",
                    "unansweredPartitions.clear(answer.indexPartition());",
                    "unansweredPartitions.clear();",
                    "no-remaining-duplicates"),
            new Mutant(
                    "the answer of one coordinator counts for all",
                    "request.isAnswered = true;",
                    "requests.forEach(one -> one.isAnswered = true);",
                    "no-remaining-duplicates"),
            new Mutant(
                    "unique documents leave the buckets",
                    "keep(document);\n",
                    "keep(document); originals.removeFromBuckets(ref, document.shares);\n",
                    "no-remaining-duplicates"),
            new Mutant(
                    "duplicates stay in the buckets",
                    "originals.removeFromBuckets(document.ref(), document.shares);",
                    "",
                    "index"),
            new Mutant(
                    "nobody learns of a document that its coordinator does not know any more",
                    "if (++unknown <= UNKNOWN_MAX) {",
                    "if (false) {",
                    "stray"),
            new Mutant(
                    "what has still to arrive again is answered as unknown",
                    "sequences.isPast(candidate) && ",
                    "",
                    "index|no-remaining-duplicates"),
            new Mutant(
                    "a new version does not wait for the one before it",
                    "&& !awaitsEarlierVersion(document)",
                    "",
                    "versions"),
            new Mutant(
                    "a version that was replaced stays an original",
                    "earlier.forEach(originals::remove);",
                    "",
                    "versions"),
            new Mutant(
                    "a new version is judged as any other",
                    "replaces ? Decision.UNIQUE : byBestMatch(document)",
                    "byBestMatch(document)",
                    "versions"),
            new Mutant(
                    "who waits gets an original that is none",
                    "answerWaiters(document, original);",
                    "answerWaiters(document, true);",
                    "valid-reference"),
            new Mutant(
                    "a lookup puts nothing into the buckets",
                    "state.insert(lookup.document(), lookup.keys());",
                    "",
                    "no-remaining-duplicates"),
            new Mutant(
                    "a decision is not recalled after a restart",
                    "sequences.isOfEarlierEpoch(ref.sequence()) ?",
                    "false ?",
                    "valid-reference"),
            new Mutant(
                    "a record that is read again gets another number",
                    "begun -> isReadAgain",
                    "begun -> false",
                    "valid-reference"),
            new Mutant(
                    "nobody waits for what has still to arrive again",
                    "mustAwaitArrival(candidate, session)) {",
                    "false) {",
                    "no-remaining-duplicates"),
            new Mutant(
                    "the event clock starts anew after a restart",
                    "new EventClock(expiry.eventMillis())",
                    "new EventClock(0)",
                    "no-remaining-duplicates"),
            new Mutant(
                    "the event clock is not noted by who relies on it",
                    "if (isExpired) {",
                    "if (false) {",
                    "no-remaining-duplicates"),
            new Mutant(
                    "a pending document does not see its tombstone",
                    "&& !originals.hasTombstone(ref, document.origin)",
                    "",
                    "tombstone"),
            new Mutant(
                    "a tombstone removes what came after it",
                    "originals.removeBefore(key, ref.sequence())",
                    "originals.removeBefore(key, Long.MAX_VALUE)",
                    "forgotten"),
            new Mutant(
                    "a tombstone does not count for what comes again behind it",
                    "removeSlice(tombstone) || sequences.isInFlightBefore(sequence)",
                    "removeSlice(tombstone)",
                    "tombstone"),
            new Mutant(
                    "a tombstone is forgotten before what comes again behind it",
                    "if (!sequences.isInFlightBefore(open.beforeSequence())) {",
                    "if (true) {",
                    "tombstone"),
            new Mutant(
                    "a tombstone has a smaller number than what was read before it",
                    "bySequence.isEmpty() ? 0 : bySequence.lastKey()",
                    "0",
                    "tombstone"),
            new Mutant("what is read after a tombstone has a smaller number", "lastTombstone + 1", "0", "forgotten"),
            new Mutant(
                    "a tombstone leaves what is of another topic and has a greater number",
                    "if (!sequences.isInFlight(original.ref())) {",
                    "if (false) {",
                    "tombstone"),
            new Mutant(
                    "a tombstone removes what leaves behind it",
                    "if (!sequences.isInFlight(original.ref())) {",
                    "if (true) {",
                    "forgotten"),
            new Mutant(
                    "what has a tombstone and is not removed yet is still an original",
                    "!isExpired && !hasTombstone(ref, original.origin())",
                    "!isExpired",
                    "tombstone"),
            new Mutant(
                    "a restart forgets a tombstone that has originals left",
                    "state.tombstones().forEach(noted -> tombstones.put(noted.key(), noted));",
                    "",
                    "tombstone"),
            new Mutant("a tombstone removes no more than one slice", "keepTombstone(tombstone);", "", "tombstone"),
            new Mutant("what is withdrawn stays an original", "withdrawn.accept(head.ref);", "", "withdrawn"),
            new Mutant(
                    "what a step has no time to verify is dropped",
                    "if (session.isDone()) { first.removeFirst();",
                    "if (true) { first.removeFirst();",
                    "no-remaining-duplicates"),
            new Mutant(
                    "a candidate whose sketch is not known is dropped",
                    "if (ofSketch == SketchTable.UNKNOWN) { session.addLikely(candidate, FIRST);",
                    "if (ofSketch == SketchTable.UNKNOWN) {",
                    "no-remaining-duplicates"),
            new Mutant(
                    "the cut drops those that are just alike enough",
                    "ofSketch > rules.candidates().cut().differencesMax()",
                    "ofSketch >= rules.candidates().cut().differencesMax()",
                    "no-remaining-duplicates"),
            new Mutant(
                    "a bitmap rules out whom it says nothing of",
                    "candidate != null && asker.isBelow(needed, candidate)",
                    "candidate != null",
                    "no-remaining-duplicates"),
            new Mutant(
                    "the nearest below the threshold is named with a bound of its similarity",
                    "isWantedBelow(candidate, session) ? session.answer.similarityBelow() : needed(session)",
                    "needed(session)",
                    "nearest"),
            new Mutant(
                    "the nearest below the threshold may have come later",
                    "&& !candidate.isLaterThan(session.request.asker());",
                    ";",
                    "nearest"),
            new Mutant(
                    "a sketch stays when its original goes",
                    "sketches.remove(original.ref().sequence());",
                    "",
                    "sketches"),
            new Mutant(
                    "what lies beyond the bound is not marked", "met.add(Bound.RANK);", "", "no-remaining-duplicates"),
            new Mutant(
                    "candidates that are not returned are not marked",
                    "if (truncated > 0) {",
                    "if (false) {",
                    "no-remaining-duplicates"),
            new Mutant("a full bucket is not marked", "met.add(Bound.BUCKET);", "", "no-remaining-duplicates"),
            new Mutant(
                    "what an earlier epoch read is left to the successor",
                    "Math.max(topic.nextToRead, topic.position.readEnd())",
                    "topic.nextToRead",
                    "handover|waiting|stuck"),
            new Mutant(
                    "a bucket that has room again does not take who asks again",
                    "} else if (hasRoomAgain(known)) {",
                    "} else if (false) {",
                    "no-remaining-duplicates"),
            new Mutant(
                    "the mark of an original is lost in a crash",
                    "isOriginal && decision.equals(Decision.UNIQUE)",
                    "isOriginal",
                    "no-remaining-duplicates"),
            new Mutant(
                    "who asks gets no answer",
                    "outbox.toCoordinator(complete.key.asker().coordinator(), complete.message());",
                    "",
                    "waiting|stuck"),
            new Mutant(
                    "nobody is told that likely ones lie beyond the bound",
                    "answer.beyond++;",
                    "",
                    "no-remaining-duplicates"),
            new Mutant(
                    "who lay beyond the bound is never asked about",
                    "!(isOfFound && isBounded) && message",
                    "message",
                    "no-remaining-duplicates"),
            new Mutant(
                    "the likeliest do not come first",
                    "Arrays.sort(candidates, 0, size);",
                    "",
                    "no-remaining-duplicates"),
            new Mutant(
                    "undecided younger ones have no bound of their own",
                    "compared = 0;",
                    "",
                    "no-remaining-duplicates"),
            new Mutant(
                    "undecided younger ones are never compared",
                    "candidates[deferred++] = candidates[next - 1];",
                    "",
                    "no-remaining-duplicates"),
            new Mutant(
                    "expiry never looks at what comes late",
                    "if (ref.sequence() < expiry.nextSequence()) {",
                    "if (false) {",
                    "expired"),
            new Mutant(
                    "the fixed position is one too low",
                    "positions.put(topic, position == null ? beginning.applyAsLong(topic) : position);",
                    "positions.put(topic, position == null ? beginning.applyAsLong(topic) : position - 1);",
                    "conservation or order|handover"),
            new Mutant(
                    "the record at the fixed position is taken",
                    "at.offset() >= end(at.topic())",
                    "at.offset() > end(at.topic())",
                    "conservation or order|handover"),
            new Mutant(
                    "a coordinator is empty that holds records",
                    "&& queue.size() == 0",
                    "",
                    "conservation or order|handover"),
            new Mutant(
                    "a coordinator is empty before it has read again up to where it stopped",
                    "&& noted.positions().keySet().stream().allMatch(this::hasReadAll)",
                    "",
                    "conservation or order|handover"),
            new Mutant(
                    "a coordinator is empty while a tombstone has originals left",
                    "&& originals.openTombstones().isEmpty()",
                    "",
                    "handover"),
            new Mutant(
                    "a restart forgets what is left",
                    "noted = state.handover().orElse(null);",
                    "",
                    "conservation or order|handover|waiting|stuck"),
            new Mutant(
                    "the successor begins before it has learned of all originals",
                    "return !takenOver.equals(TakenOver.NONE);",
                    "return true;",
                    "conservation or order|waiting|stuck"),
            new Mutant(
                    "the successor begins one record late",
                    "end.starts().forEach(sequences::startAt);",
                    "end.starts().forEach((topic, start) -> sequences.startAt(topic, start + 1));",
                    "conservation or order|waiting|stuck"),
            new Mutant(
                    "the successor begins one record early",
                    "end.starts().forEach(sequences::startAt);",
                    "end.starts().forEach((topic, start) -> sequences.startAt(topic, start - 1));",
                    "conservation or order|waiting|stuck"),
            new Mutant(
                    "where the successor begins is forgotten",
                    "end.starts().forEach(sequences::startAt);",
                    "",
                    "conservation or order|waiting|stuck"),
            new Mutant(
                    "the event clock of a successor starts anew",
                    "originals.goOnFrom(end.eventMillis());",
                    "",
                    "takeover"),
            new Mutant(
                    "the successor forgets that it has taken over",
                    "state.noteTakenOver(takenOver);",
                    "",
                    "waiting|stuck"),
            new Mutant(
                    "what the predecessor removes stays an original",
                    "state.originalsFrom(removed.source()).forEach(originals::remove);",
                    "",
                    "takeover"),
            new Mutant(
                    "nobody learns that an original of the predecessor was repeated",
                    "entry -> state.repeat(entry.ref(), repeated.eventMillis())",
                    "entry -> {}",
                    "takeover"),
            new Mutant(
                    "what the successor learns takes effect at once",
                    "holdUnlessRecalled(ref, at, payload, () -> migrationTarget.apply(change, ref));",
                    "migrationTarget.apply(change, ref);\n        holdUnlessRecalled(ref, at, payload, () -> {});",
                    "takeover"),
            new Mutant(
                    "an original of the predecessor is compared",
                    "original.document(), original.origin(), false, nowMillis",
                    "original.document(), original.origin(), true, nowMillis",
                    "takeover|valid-reference|index"),
            new Mutant(
                    "records leave in another order than they came",
                    "records = new LinkedHashMap<>();",
                    "records = new java.util.TreeMap<>(java.util.Comparator.reverseOrder());",
                    "conservation or order"));

    /** Caught once in some thousand crashing runs. */
    static final List<Mutant> RARE = List.of(
            new Mutant(
                    "one that waits no more for a certain duplicate is repeated by it",
                    "neighbour.ref().isLaterThan(asker)",
                    "false",
                    "sequential"),
            new Mutant(
                    "answers about candidates to an earlier epoch count",
                    "awaiting(answer.asker(), answer.epoch())",
                    "Optional.ofNullable(queue.pending(answer.asker()))",
                    "no-remaining-duplicates"),
            new Mutant(
                    "a change of the predecessor that is read again is not taken as it was decided",
                    "holdUnlessRecalled(ref, at, payload, () -> migrationTarget",
                    "handler.resumeRequests(ref);"
                            + " queue.hold(ref, at, payload, Decision.UNJUDGED, () -> migrationTarget",
                    "no-remaining-duplicates"),
            new Mutant(
                    "how far an earlier epoch read is forgotten when a record is read again",
                    "Math.max(position.readEnd(), nextToRead)",
                    "nextToRead",
                    "index"),
            new Mutant(
                    "of two tombstones of a key the last to come counts",
                    "known == null || known.beforeSequence() < tombstone.beforeSequence()",
                    "true",
                    "tombstone"),
            new Mutant(
                    "what is removed while it is held is judged again",
                    "queue.noteUnique(original.ref());",
                    "",
                    "valid-reference|versions"));

    private Mutants() {}
}
