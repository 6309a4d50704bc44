package io.neardup.tools.audit;

import io.neardup.config.Signing;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Repeated;
import io.neardup.streams.input.InputGenerations;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.audit.NoRemainingDuplicatesCheck.UniqueDocument;
import io.neardup.tools.audit.ValidReferenceCheck.Claim;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Promises 2 and 3, from what is on the outputs: reads the documents there and signs them as the service did. Verdicts
 * have no documents: of these it knows the ids, and what they say. What does not fit into memory is looked at in
 * further passes over seeds and outputs.
 */
final class DocumentsCheck {
    private final AuditedTopics topics;
    private final DocumentReader reader;
    private final Signing.DocumentSigner signer;
    private final ContentHash hash = new ContentHash(false);
    private final SampleShare originals;
    private final SampleShare buckets;
    private final ValidReferenceCheck validReference;
    private final NoRemainingDuplicatesCheck noRemainingDuplicates;
    private final long nowMillis;
    private int passes = 1;

    /**
     * @param knowsBuckets whether the seed of the signing is that of the index
     * @param bytesMax that are kept of documents for each of the two
     * @param nowMillis records are not taken to be of a later time
     */
    DocumentsCheck(AuditedTopics topics, Signing signing, boolean knowsBuckets, long bytesMax, long nowMillis) {
        this.topics = topics;
        this.reader = topics.config().documentReaders().get();
        this.signer = signing.signer();
        this.nowMillis = nowMillis;
        this.originals = new SampleShare(bytesMax);
        this.buckets = new SampleShare(bytesMax);
        this.validReference = new ValidReferenceCheck(topics, signing.judge(), originals);
        this.noRemainingDuplicates = new NoRemainingDuplicatesCheck(topics, signing, knowsBuckets, buckets);
        if (topics.inputPartitions().stream().anyMatch(topics::isCut)) {
            seeCutInput();
        }
    }

    /** Records of an input were deleted: where outputs do not tell their times either, these are not known. */
    void seeCutInput() {
        if (!topics.timestampsKept()) {
            noRemainingDuplicates.seeTime(Long.MIN_VALUE, nowMillis);
        }
    }

    /** Tombstones or dead letters of seeds may have been deleted before they were read. */
    void seeRemovalsDeleted() {
        noRemainingDuplicates.seeRemovalsDeleted();
    }

    /** Whether there is something that no pass has looked at; then another one begins. */
    boolean startPass() {
        if (passes >= Math.max(originals.classes(), buckets.classes())) {
            return false;
        }
        passes++;
        originals.startPass();
        buckets.startPass();
        return true;
    }

    int passes() {
        return passes;
    }

    /** A document that is an original without having left. */
    void takeSeed(InputRecord record) {
        if (record.value() == null) {
            noRemainingDuplicates.takeBack(hash.hash(record.key()));
        } else {
            takeText(record, true, !topics.seedsJudged());
        }
    }

    private void takeText(InputRecord record, boolean isOfSeed, boolean isCompared) {
        sign(record).ifPresent(signed -> {
            takeOriginal(signed.id(), signed.evidence());
            if (isCompared && noRemainingDuplicates.isLookedAt()) {
                long timestamp = isOfSeed || topics.timestampsKept() ? record.timestamp() : UniqueDocument.UNKNOWN;
                noRemainingDuplicates.take(new UniqueDocument(
                        RecordOutcome.at(record), hash.hash(record.key()), timestamp, signed, isOfSeed));
            }
        });
    }

    private void takeOriginal(String name, @Nullable Evidence evidence) {
        long nameHash = hash.hash(name);
        if (originals.takes(nameHash)) {
            validReference.original(nameHash, evidence);
        }
    }

    void seeInput(InputRecord record) {
        noRemainingDuplicates.seeTime(record.timestamp(), nowMillis);
    }

    void takeOutput(RecordOutcome outcome) {
        if (topics.timestampsKept()) {
            seeInput(outcome.record()); // As it came in, where that may be deleted.
        }
        if (topics.ofVerdicts() && topics.isFromNoInput(outcome)) {
            return;
        }
        if (outcome.outcome() == Outcome.UNIQUE) {
            takeUnique(outcome);
        } else if (outcome.repeated() != null) {
            takeDuplicate(outcome, outcome.repeated());
        } else if (outcome.outcome() == Outcome.TOMBSTONE) {
            noRemainingDuplicates.takeBack(hash.hash(outcome.record().key()));
        } else if (outcome.source() != null && topics.isFromNoInput(outcome)) {
            noRemainingDuplicates.skip(RecordOutcome.at(outcome.source()));
        }
    }

    private void takeUnique(RecordOutcome outcome) {
        InputRecord record = outcome.record();
        Verdict verdict = outcome.verdict();
        if (verdict == null) {
            takeText(record, false, record.header(OutputRecords.BOUNDED).isEmpty());
        } else {
            // A release whose verdicts tell no length names originals by their ids alone.
            String place = verdict.length() == 0 ? null : verdict.position().toString();
            takeOriginal(name(verdict.id(), place), null);
        }
    }

    private void takeDuplicate(RecordOutcome outcome, Repeated repeated) {
        double similarity = repeated.similarity().value();
        boolean withoutText = topics.hasDuplicatesWithoutText();
        if (withoutText && originals.isFirstPass()) {
            validReference.checkSaid(outcome.at(), similarity, isJudgedByOthers(outcome));
        }
        String name = name(repeated.original(), topics.ofVerdicts() ? repeated.place() : null);
        long nameHash = hash.hash(name);
        if (repeated.seed() != null && !topics.seedsRead()) {
            validReference.noteOfUnreadSeed();
        } else if (originals.takes(nameHash)) {
            InputRecord record = outcome.record();
            Evidence evidence = withoutText
                    ? null
                    : sign(record).map(SignedDocument::evidence).orElse(null);
            if (evidence == null && !withoutText) {
                validReference.checkSaid(outcome.at(), similarity, false); // Nothing else tells.
            }
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            boolean settled = topics.isSettled(partition, record.offset());
            validReference.claim(nameHash, new Claim(outcome.at(), name, similarity, evidence, settled));
        }
    }

    private boolean isJudgedByOthers(RecordOutcome outcome) {
        return outcome.verdict() != null
                && !outcome.verdict().settings().equals(topics.config().fingerprint());
    }

    /** What is no document, or cannot be signed, did not come in so: the promise of conservation tells. */
    private Optional<SignedDocument> sign(InputRecord record) {
        try {
            return reader.read(record) instanceof Document document
                    ? Optional.of(signer.sign(document))
                    : Optional.empty();
        } catch (UnsignableException e) {
            return Optional.empty();
        }
    }

    /**
     * What a duplicate names its original by: the id, and its place where that is to be seen of originals too. These do
     * not say of which generation their topic was.
     */
    private static String name(String id, @Nullable String place) {
        return place == null ? id : id + " at " + InputGenerations.withoutGeneration(place);
    }

    /** Hashes of what duplicates may name a document by; none where the record is none. */
    List<Long> nameHashes(InputRecord record) {
        return reader.read(record) instanceof Document document
                ? List.of(hash.hash(document.id()), hash.hash(name(document.id(), record.place())))
                : List.of();
    }

    /**
     * All was read. What is found stays, what was kept goes.
     *
     * @param mayBeDeleted whether originals may have left that are not there any more
     * @param notLeft {@linkplain #nameHashes names} of documents that have come in and not left yet
     */
    void endPass(boolean mayBeDeleted, Set<Long> notLeft) {
        validReference.endPass(mayBeDeleted, notLeft);
        noRemainingDuplicates.endPass();
    }

    /** On promise 2, and on promise 3 where there are documents. */
    List<PromiseReport> reports() {
        PromiseReport reference = validReference.report(topics.promise("valid-reference"));
        return topics.ofVerdicts() ? List.of(reference) : List.of(reference, noRemainingDuplicates.report());
    }
}
