package io.neardup.tools.audit;

import io.neardup.config.Signing;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Repeated;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.audit.NoRemainingDuplicatesCheck.UniqueDocument;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Promises 2 and 3, from what is on the outputs: reads the documents there and signs them as the service did. Verdicts
 * have no documents: of these it knows the ids, and what they say. What does not fit into memory is looked at in
 * further passes over seeds and outputs.
 */
final class DocumentsCheck {
    private final AuditedTopics topics;
    private final DocumentReader reader;
    private final Signing.DocumentSigner signer;
    private final ValidReferenceCheck validReference;
    private final NoRemainingDuplicatesCheck noRemainingDuplicates;
    private int passes = 1;

    /**
     * @param knowsBuckets whether the seed of the signing is that of the index
     * @param bytesMax that are kept of documents for each of the two
     */
    DocumentsCheck(AuditedTopics topics, Signing signing, boolean knowsBuckets, long bytesMax) {
        this.topics = topics;
        this.reader = topics.config().documentReaders().get();
        this.signer = signing.signer();
        this.validReference = new ValidReferenceCheck(topics, signing.judge(), bytesMax);
        this.noRemainingDuplicates = new NoRemainingDuplicatesCheck(topics, signing, knowsBuckets, bytesMax);
    }

    /** Whether there is something that no pass has looked at; then another one begins. */
    boolean startPass() {
        if (!validReference.sample().isPart()
                && !noRemainingDuplicates.buckets().isPart()) {
            return false;
        }
        passes++;
        validReference.sample().startPass();
        noRemainingDuplicates.buckets().startPass();
        return true;
    }

    /** How many have begun. */
    int passes() {
        return passes;
    }

    /** A document that is an original without having left. */
    void takeSeed(InputRecord record) {
        if (record.value() == null) {
            noRemainingDuplicates.takeBack(record.key());
        } else {
            takeText(record, true, !topics.seedsJudged());
        }
    }

    private void takeText(InputRecord record, boolean isOfSeed, boolean isCompared) {
        sign(record).ifPresent(signed -> {
            validReference.takeOriginal(signed.id(), null, signed.evidence());
            if (isCompared && noRemainingDuplicates.isLookedAt()) {
                noRemainingDuplicates.take(new UniqueDocument(
                        RecordOutcome.at(record), record.key(), record.timestamp(), signed, isOfSeed));
            }
        });
    }

    /** A record of an input has come in at this time. */
    void seeInput(InputRecord record, long nowMillis) {
        noRemainingDuplicates.seeTime(record.timestamp(), nowMillis);
    }

    /** A record of an output, but those of elsewhere. */
    void takeOutput(RecordOutcome outcome) {
        InputRecord record = outcome.record();
        Verdict verdict = outcome.verdict();
        Repeated repeated = outcome.repeated();
        if (outcome.outcome() == Outcome.TOMBSTONE) {
            noRemainingDuplicates.takeBack(record.key());
        } else if (repeated != null) {
            validReference.takeDuplicate(outcome, repeated, () -> sign(record)
                    .map(SignedDocument::evidence)
                    .orElse(null));
        } else if (outcome.outcome() == Outcome.UNIQUE && verdict == null) {
            takeText(record, false, record.header(OutputRecords.BOUNDED).isEmpty());
        } else if (verdict != null && outcome.outcome() == Outcome.UNIQUE) {
            // A release whose verdicts tell no length names originals by their ids alone.
            String place = verdict.length() == 0 ? null : verdict.position().toString();
            validReference.takeOriginal(verdict.id(), place, null);
        }
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

    /** Hashes of what duplicates may name a document by; none where the record is none. */
    List<Long> nameHashes(InputRecord record) {
        return reader.read(record) instanceof Document document
                ? List.of(
                        validReference.nameHash(document.id(), null),
                        validReference.nameHash(document.id(), record.place()))
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
        PromiseReport reference = validReference.report();
        return topics.ofVerdicts() ? List.of(reference) : List.of(reference, noRemainingDuplicates.report());
    }
}
