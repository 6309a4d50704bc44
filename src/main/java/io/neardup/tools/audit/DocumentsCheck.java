package io.neardup.tools.audit;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Signing;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.protocol.SignedDocument;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.UnsignableException;
import io.neardup.record.Document;
import io.neardup.record.DocumentReader;
import io.neardup.record.InputRecord;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Repeated;
import io.neardup.streams.topology.OutputRecords;
import io.neardup.tools.audit.NoRemainingDuplicatesCheck.EventTimes;
import io.neardup.tools.audit.NoRemainingDuplicatesCheck.Rules;
import io.neardup.tools.audit.NoRemainingDuplicatesCheck.UniqueDocument;
import io.neardup.tools.audit.ValidReferenceCheck.Claim;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Promises 2 and 3, from what is on the outputs: reads the documents there and signs them as the service did. Verdicts
 * have no documents: of these it knows the ids, and what they say.
 */
final class DocumentsCheck {
    private final AuditedTopics topics;
    private final Pass pass;
    private final DocumentReader reader;
    private final Signing.DocumentSigner signer;
    private final ContentHash hash = new ContentHash(false);
    private final ValidReferenceCheck validReference;
    private final NoRemainingDuplicatesCheck noRemainingDuplicates;
    private final boolean judgesNoRemainingDuplicates;

    /**
     * @param knowsBuckets whether the seed of the signing is that of the index
     * @param bytesMax that are kept of documents for each of the two
     * @param pass which part of them is looked at
     */
    DocumentsCheck(
            AuditedTopics topics, Signing signing, boolean knowsBuckets, long bytesMax, Pass pass, EventTimes times) {
        NeardupConfig config = topics.config();
        this.topics = topics;
        this.pass = pass;
        this.reader = config.documentReaders().get();
        this.signer = signing.signer();
        // A new version is unique whatever it resembles.
        this.judgesNoRemainingDuplicates =
                knowsBuckets && !topics.ofVerdicts() && config.versions() != Versions.REPLACE;
        this.validReference = new ValidReferenceCheck(
                signing.judge(),
                config.threshold(),
                new SampleShare(bytesMax, pass.number, pass.validReferenceClasses),
                places(topics));
        this.noRemainingDuplicates = new NoRemainingDuplicatesCheck(
                signing.judge(),
                new Rules(
                        config.threshold(),
                        signing.cut(config.threshold()).differencesMax(),
                        config.bucketMax(),
                        config.retention().millis()),
                new SampleShare(bytesMax, pass.number, pass.noRemainingDuplicatesClasses),
                times);
    }

    /** Ids that are places of input records: nothing on {@code unique} says these, and verdicts do. */
    private static Pattern places(AuditedTopics topics) {
        String ofInputs = topics.ofVerdicts()
                ? "(?!)"
                : topics.config().inputTopics().stream().map(Pattern::quote).collect(Collectors.joining("|"));
        return Pattern.compile("(" + ofInputs + ")-\\d+-\\d+");
    }

    /**
     * A pass over the topics.
     *
     * @param number from 0
     * @param validReferenceClasses in how many parts originals are divided
     * @param noRemainingDuplicatesClasses in how many parts buckets are divided
     */
    record Pass(int number, int validReferenceClasses, int noRemainingDuplicatesClasses) {
        static final Pass FIRST = new Pass(0, 1, 1);
    }

    /** Those that look at what this first one has not looked at. */
    List<Pass> furtherPasses() {
        int originals = validReference.classes();
        int buckets = noRemainingDuplicates.classes();
        return IntStream.range(1, Math.max(originals, buckets))
                .mapToObj(number -> new Pass(number, originals, buckets))
                .toList();
    }

    /** A document that is an original without having left. */
    void takeSeed(InputRecord record) {
        if (record.value() == null) {
            noRemainingDuplicates.takeBack(hash.hash(record.key()));
            return;
        }
        sign(record).ifPresent(signed -> {
            takeOriginal(signed.id(), signed.evidence());
            if (judgesNoRemainingDuplicates && !topics.seedsJudged()) {
                noRemainingDuplicates.take(original(record, signed, true));
            }
        });
    }

    private UniqueDocument original(InputRecord record, SignedDocument signed, boolean isOfSeed) {
        return new UniqueDocument(
                RecordOutcome.at(record), hash.hash(record.key()), record.timestamp(), signed, isOfSeed);
    }

    private void takeOriginal(String id, @Nullable Evidence evidence) {
        long idHash = hash.hash(id);
        if (validReference.takes(idHash)) {
            validReference.original(idHash, evidence);
        }
    }

    void takeOutput(RecordOutcome outcome) {
        if (topics.ofVerdicts() && topics.isOfElsewhere(outcome)) {
            return;
        }
        if (outcome.outcome() == Outcome.UNIQUE) {
            takeUnique(outcome);
        } else if (outcome.repeated() != null) {
            takeDuplicate(outcome, outcome.repeated());
        } else if (outcome.outcome() == Outcome.TOMBSTONE) {
            noRemainingDuplicates.takeBack(hash.hash(outcome.record().key()));
        } else if (outcome.source() != null && topics.isOfElsewhere(outcome)) {
            noRemainingDuplicates.skip(RecordOutcome.at(outcome.source()));
        }
    }

    private void takeUnique(RecordOutcome outcome) {
        if (outcome.verdict() != null) {
            takeOriginal(outcome.verdict().id(), null);
            return;
        }
        sign(outcome.record()).ifPresent(signed -> {
            takeOriginal(signed.id(), signed.evidence());
            if (judgesNoRemainingDuplicates
                    && outcome.record().header(OutputRecords.BOUNDED).isEmpty()) {
                noRemainingDuplicates.take(original(outcome.record(), signed, false));
            }
        });
    }

    private void takeDuplicate(RecordOutcome outcome, Repeated repeated) {
        double similarity = repeated.similarity().value();
        if (pass.number == 0 && topics.hasDuplicatesWithoutText()) {
            validReference.checkSaid(outcome.at(), similarity, isJudgedByOthers(outcome));
        }
        long id = hash.hash(repeated.original());
        if (repeated.seed() != null && !topics.isRead(repeated.seed())) {
            validReference.noteOfUnreadSeed();
        } else if (validReference.takes(id)) {
            InputRecord record = outcome.record();
            Evidence evidence = topics.hasDuplicatesWithoutText()
                    ? null
                    : sign(record).map(SignedDocument::evidence).orElse(null);
            if (evidence == null && !topics.hasDuplicatesWithoutText()) {
                validReference.checkSaid(outcome.at(), similarity, false); // Nothing else tells.
            }
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            boolean settled = topics.isSettled(partition, record.offset());
            validReference.claim(id, new Claim(outcome.at(), repeated.original(), similarity, evidence, settled));
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

    /** The hash of the id of a document; empty where the record is none. */
    Optional<Long> idHash(InputRecord record) {
        return reader.read(record) instanceof Document document
                ? Optional.of(hash.hash(document.id()))
                : Optional.empty();
    }

    /**
     * All was read. What is found stays, what was kept goes.
     *
     * @param mayBeDeleted whether originals may have left that are not there any more
     * @param broken the places of documents that another pass has found to break no remaining duplicates; these are
     *     added
     * @param notLeft {@linkplain #idHash hashes of the ids} of documents that have come in and not left yet
     */
    void end(boolean mayBeDeleted, Set<String> broken, Set<Long> notLeft) {
        validReference.end(mayBeDeleted, notLeft);
        noRemainingDuplicates.end(broken);
    }

    ValidReferenceCheck validReference() {
        return validReference;
    }

    NoRemainingDuplicatesCheck noRemainingDuplicates() {
        return noRemainingDuplicates;
    }
}
