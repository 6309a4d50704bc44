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
import io.neardup.streams.topology.OutputRecords;
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

/** Promises 2 and 3, from what is on the outputs: reads the documents there and signs them as the service did. */
final class DocumentsCheck {
    private final AuditedTopics topics;
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
            AuditedTopics topics,
            NeardupConfig config,
            Signing signing,
            boolean knowsBuckets,
            long bytesMax,
            Pass pass,
            EventTimes times) {
        this.topics = topics;
        this.reader = config.documentReaders().get();
        this.signer = signing.signer();
        Pattern place = Pattern.compile(
                topics.inputs().stream().map(Pattern::quote).collect(Collectors.joining("|", "(", ")-\\d+-\\d+")));
        // A new version is unique whatever it resembles.
        this.judgesNoRemainingDuplicates = knowsBuckets && config.versions() != Versions.REPLACE;
        this.validReference = new ValidReferenceCheck(
                signing.judge(),
                config.threshold(),
                new SampleShare(bytesMax, pass.number, pass.validReferenceClasses),
                id -> place.matcher(id).matches());
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

    /** Those that look at what this first one has left out. */
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
            takeOriginal(signed);
            if (judgesNoRemainingDuplicates && !topics.seedsJudged()) {
                noRemainingDuplicates.take(original(record, signed, true));
            }
        });
    }

    private UniqueDocument original(InputRecord record, SignedDocument signed, boolean isOfSeed) {
        return new UniqueDocument(at(record), hash.hash(record.key()), record.timestamp(), signed, isOfSeed);
    }

    private void takeOriginal(SignedDocument signed) {
        long id = hash.hash(signed.id());
        if (validReference.takes(id)) {
            validReference.original(id, signed.evidence());
        }
    }

    void takeOutput(InputRecord record) {
        if (record.topic().equals(topics.unique())) {
            takeUnique(record);
        } else if (record.topic().equals(topics.duplicates())) {
            takeDuplicate(record);
        } else if (topics.isOfSeed(record)) {
            noRemainingDuplicates.leaveOut(sourceOf(record));
        }
    }

    private void takeUnique(InputRecord record) {
        if (record.value() == null) {
            noRemainingDuplicates.takeBack(hash.hash(record.key()));
            return;
        }
        sign(record).ifPresent(signed -> {
            takeOriginal(signed);
            if (judgesNoRemainingDuplicates
                    && AuditedTopics.header(record, OutputRecords.BOUNDED).isEmpty()) {
                noRemainingDuplicates.take(original(record, signed, false));
            }
        });
    }

    private void takeDuplicate(InputRecord record) {
        String original =
                AuditedTopics.header(record, OutputRecords.DUPLICATE_OF).orElse("");
        long id = hash.hash(original);
        if (validReference.takes(id) && !isOfLostSeed(record)) {
            Evidence evidence = topics.verdicts()
                    ? null
                    : sign(record).map(SignedDocument::evidence).orElse(null);
            TopicPartition partition = new TopicPartition(record.topic(), record.partition());
            boolean settled = topics.isSettled(partition, record.offset());
            validReference.claim(id, new Claim(at(record), original, similarity(record), evidence, settled));
        }
    }

    private boolean isOfLostSeed(InputRecord duplicate) {
        return AuditedTopics.header(duplicate, OutputRecords.DUPLICATE_OF_SEED)
                .filter(topics.lostSeeds()::contains)
                .isPresent();
    }

    private static double similarity(InputRecord record) {
        try {
            return AuditedTopics.header(record, OutputRecords.SIMILARITY)
                    .map(Double::parseDouble)
                    .orElse(Double.NaN);
        } catch (NumberFormatException e) {
            return Double.NaN;
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

    private static String at(InputRecord record) {
        return at(record.topic(), String.valueOf(record.partition()), String.valueOf(record.offset()));
    }

    private static String at(String topic, String partition, String offset) {
        return topic + "-" + partition + " offset " + offset;
    }

    private static String sourceOf(InputRecord deadLetter) {
        return at(
                AuditedTopics.header(deadLetter, OutputRecords.SOURCE_TOPIC).orElse(""),
                AuditedTopics.header(deadLetter, OutputRecords.SOURCE_PARTITION).orElse(""),
                AuditedTopics.header(deadLetter, OutputRecords.SOURCE_OFFSET).orElse(""));
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
     * @param broken the places of documents that another pass has found to break no remaining duplicates; these are
     *     added
     * @param notLeft {@linkplain #idHash hashes of the ids} of documents that have come in and not left yet
     */
    void end(Set<String> broken, Set<Long> notLeft) {
        boolean mayBeDeleted = topics.outputPartitions().stream()
                .anyMatch(partition -> partition.topic().equals(topics.unique()) && topics.isCut(partition));
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
