package io.neardup.simulation;

import java.util.List;

/** What the simulation must notice. Whoever changes the protocol mends the snippets here. */
final class Mutants {
    private static final String HOME = "DocumentHome";
    private static final String ORIGINALS = "Originals";

    static final List<Mutant> ALL = List.of(
            new Mutant(
                    "a younger candidate waits instead of yielding",
                    HOME,
                    "document.stamp().isOlderThan(askerStamp)",
                    "true",
                    "waiting|stuck"),
            new Mutant(
                    "a younger candidate yields and asks nobody",
                    HOME,
                    "document.yieldTo(askerStamp);",
                    "",
                    "independence"),
            new Mutant(
                    "nobody is told of a home that has forgotten who waited",
                    HOME,
                    "if (attempt > 1) {",
                    "if (false) {",
                    "waiting"),
            new Mutant(
                    "in a crowd nobody is told whom a candidate yielded to",
                    HOME,
                    "document.adopt(yieldedTo);",
                    "",
                    "independence"),
            new Mutant(
                    "a document with many candidates is in no crowd",
                    HOME,
                    "document.candidates() >= rules.crowdMin()",
                    "false",
                    "independence"),
            new Mutant(
                    "a pending candidate does not tell whom it yielded to",
                    HOME,
                    "similarity, document.yieldedTo(), outbox",
                    "similarity, null, outbox",
                    "independence"),
            new Mutant(
                    "answers to an earlier attempt count",
                    HOME,
                    "message.attempt() == attempt",
                    "message.attempt() > 0",
                    "index|independence"),
            new Mutant(
                    "a pending candidate answers that it is no original",
                    HOME,
                    "document.awaitedBy(message.asker(), similarity);",
                    "answer(message.asker(), candidate, similarity, null, outbox);",
                    "independence"),
            new Mutant(
                    "a pending candidate answers that it is an original",
                    HOME,
                    "document.awaitedBy(message.asker(), similarity);",
                    "send(message.asker().home(), new Verdict(message.asker(), candidate, similarity,"
                            + " document.document().id(), null), outbox);",
                    "domination"),
            new Mutant(
                    "a waiter is forgotten",
                    "PendingDocument",
                    "waiters.put(asker, similarity);",
                    "waiters = Map.of(asker, similarity);",
                    "waiting"),
            new Mutant(
                    "nobody asks a candidate again",
                    HOME,
                    "verify(document, document.unjudged(), outbox);",
                    "",
                    "stuck"),
            new Mutant("nobody asks a band partition again", HOME, "document.isDueToAsk(nowMillis)", "false", "stuck"),
            new Mutant(
                    "an answer of a band partition that is repeated counts again",
                    "PendingDocument",
                    "if (!awaits(bandPartition)) {",
                    "if (shareOf(bandPartition) < 0) {",
                    "stuck"),
            new Mutant(
                    "a verdict that is repeated counts again",
                    "PendingDocument",
                    "known != null && known.isEmpty()",
                    "known != null",
                    "independence|exception"),
            new Mutant(
                    "unique documents leave the buckets",
                    HOME,
                    "held.keep();\n",
                    "held.keep(); remove(ref, document.shares(), outbox);\n",
                    "independence"),
            new Mutant("duplicates stay in the buckets", HOME, "remove(ref, document.shares(), outbox);", "", "index"),
            new Mutant(
                    "a new version does not wait for the one before it",
                    HOME,
                    "&& !awaitsEarlierVersion(document)",
                    "",
                    "versions"),
            new Mutant(
                    "a version that was replaced stays an original",
                    HOME,
                    "earlier.forEach(entry -> forget(entry, outbox));",
                    "",
                    "versions"),
            new Mutant(
                    "a new version is judged as any other",
                    HOME,
                    "replaces ? Decision.UNIQUE : byBestMatch(document)",
                    "byBestMatch(document)",
                    "versions"),
            new Mutant(
                    "who waits is told of an original that is none",
                    HOME,
                    "original ? document.document().id() : null",
                    "document.document().id()",
                    "domination"),
            new Mutant(
                    "a lookup puts nothing into the buckets",
                    "BandIndex",
                    "state.insert(lookup.document(), lookup.keys());",
                    "",
                    "independence"),
            new Mutant("a decision is not recalled after a restart", HOME, "recallDecision(held);", "", "domination"),
            new Mutant(
                    "a record that is read again gets another number",
                    "Numbering",
                    "isOfEarlierLife(block.firstSequence()) || nowMillis",
                    "nowMillis",
                    "domination"),
            new Mutant(
                    "nobody waits for what has still to arrive again",
                    HOME,
                    "original.isEmpty() && mustWaitToCome(candidate, message)",
                    "false",
                    "independence"),
            new Mutant(
                    "the event clock starts anew after a restart",
                    ORIGINALS,
                    "new EventClock(expiry.eventMillis())",
                    "new EventClock(0)",
                    "independence"),
            new Mutant(
                    "the event clock is not noted by who relies on it",
                    ORIGINALS,
                    "note(new Expiry(expiry.nextSequence(), clock.millis()));",
                    "",
                    "independence"),
            new Mutant(
                    "a pending document does not see its tombstone",
                    HOME,
                    "&& !isTakenBack(document)",
                    "",
                    "taken back"),
            new Mutant(
                    "a tombstone takes back what came after it",
                    ORIGINALS,
                    "ref.sequence() < sequence",
                    "true",
                    "forgotten"),
            new Mutant(
                    "expiry never looks at what comes late",
                    ORIGINALS,
                    "if (ref.sequence() < expiry.nextSequence()) {",
                    "if (false) {",
                    "expired"),
            new Mutant(
                    "records leave in another order than they came",
                    HOME,
                    "queue.add(held);",
                    "queue.addFirst(held);",
                    "conservation or order"));

    /** Caught once in some thousand crashing runs. */
    static final List<Mutant> RARE = List.of(new Mutant(
            "what is forgotten while it is held is judged again",
            HOME,
            "state.decide(ref, Decision.UNIQUE);",
            "",
            "domination|versions"));

    private Mutants() {}
}
