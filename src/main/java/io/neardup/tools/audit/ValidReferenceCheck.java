package io.neardup.tools.audit;

import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.SimilarityJudge;
import io.neardup.record.InputRecord;
import io.neardup.record.Verdict.Position;
import io.neardup.record.Verdict.Repeated;
import io.neardup.streams.input.InputGenerations;
import io.neardup.tools.audit.PromiseReport.Findings;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Promise 2: every duplicate names a document that is unique, is as similar to it as it says, and at or above the
 * threshold. Looks at the duplicates of a share of the originals, chosen by their ids. Where there are no texts it
 * takes the word of the duplicate for the similarity.
 */
final class ValidReferenceCheck {
    /** By the judge's own arithmetic it is exact; a header has all digits. */
    private static final double TOLERANCE = 1e-9;

    private static final long STRING_BYTES = 56;

    private final AuditedTopics topics;
    private final SimilarityJudge judge;
    private final double threshold;
    private final Sample<Named> sample;
    private final ContentHash hash = new ContentHash();
    private final Findings findings = new Findings();
    private long judged;
    /** Duplicates whose original is deleted, of a seed that is not read, or says no id. */
    private long notJudged;
    /** Duplicates whose original was not to be seen yet. */
    private long notYet;

    private long judgedByOthers;

    /** What has a name, by its hash; its evidence is null where there is no text. */
    private sealed interface Named {
        @Nullable
        Evidence evidence();

        default long bytes() {
            long ofStrings =
                    this instanceof Claim claim ? 2 * STRING_BYTES + claim.place.length() + claim.original.length() : 0;
            Evidence evidence = evidence();
            return ofStrings + (evidence == null ? 0 : evidence.bytes().length);
        }
    }

    /** A document that is unique. */
    private record Original(@Nullable Evidence evidence) implements Named {}

    /**
     * A duplicate, by the name of its original.
     *
     * @param place of its record
     * @param original what it names: an id, or an id and a place
     * @param similarity NaN where it tells none
     * @param isSettled whether all that has left before it was read too
     */
    private record Claim(
            String place,
            String original,
            double similarity,
            boolean isSettled,
            @Nullable Evidence evidence) implements Named {}

    ValidReferenceCheck(AuditedTopics topics, SimilarityJudge judge, long bytesMax) {
        this.topics = topics;
        this.judge = judge;
        this.threshold = topics.config().threshold();
        this.sample = new Sample<>(bytesMax, Named::bytes);
    }

    Sample<?> sample() {
        return sample;
    }

    /**
     * What a duplicate names its original by: the id, and its place where that is to be seen of originals too. These do
     * not say of which generation their topic was.
     */
    private static String name(String id, @Nullable String place) {
        return place == null ? id : id + " at " + InputGenerations.withoutGeneration(place);
    }

    long nameHash(String id, @Nullable String place) {
        return hash.of(name(id, place));
    }

    /** A document that is unique; its place is null where duplicates do not tell it, its evidence without a text. */
    void takeOriginal(String id, @Nullable String place, @Nullable Evidence evidence) {
        long name = nameHash(id, place);
        if (!sample.takes(name)) {
            return;
        }
        Original original = new Original(evidence);
        if (evidence != null || !sample.of(name).contains(original)) {
            sample.add(name, original);
        }
    }

    /** @param text what there is of it on the topic */
    void takeDuplicate(RecordOutcome outcome, Repeated repeated, Supplier<@Nullable Evidence> text) {
        boolean isWithoutText = topics.hasDuplicatesWithoutText();
        if (isWithoutText && sample.isFirstPass()) {
            checkSaid(outcome, repeated);
        }
        if (repeated.seed() != null && !topics.isRead(repeated.seed())) {
            notJudged += sample.isFirstPass() ? 1 : 0; // Each pass meets them all.
            return;
        }
        String original = name(repeated.original(), outcome.verdict() == null ? null : repeated.place());
        long name = hash.of(original);
        if (!sample.takes(name)) {
            return;
        }
        Evidence evidence = isWithoutText ? null : text.get();
        if (evidence == null && !isWithoutText) {
            checkSaid(outcome, repeated);
        }
        InputRecord record = outcome.record();
        boolean isSettled = topics.isSettled(new TopicPartition(record.topic(), record.partition()), record.offset());
        sample.add(name, new Claim(outcome.at(), original, repeated.similarity().value(), isSettled, evidence));
    }

    /** The similarity that a duplicate without a text says; not where it was judged by other settings. */
    private void checkSaid(RecordOutcome outcome, Repeated repeated) {
        double similarity = repeated.similarity().value();
        if (outcome.verdict() != null
                && !outcome.verdict().settings().equals(topics.config().fingerprint())) {
            judgedByOthers++;
        } else if (!(similarity >= threshold - TOLERANCE)) {
            findings.add(
                    "below threshold",
                    () -> outcome.at() + ": expected a similarity of at least " + threshold + ", found " + similarity);
        }
    }

    private boolean holds(Claim claim, Original original) {
        double similarity = similarity(claim, original);
        return claim.evidence == null
                || (similarity >= threshold && Math.abs(similarity - claim.similarity) <= TOLERANCE);
    }

    private double similarity(Claim claim, Original original) {
        return claim.evidence == null || original.evidence == null
                ? claim.similarity
                : judge.similarity(claim.evidence, original.evidence).value();
    }

    /**
     * All was read: what has not been found is not there. Nothing is kept any more.
     *
     * @param mayBeDeleted whether originals may have left that are not there any more
     * @param notLeft hashes of the names of documents that have come in and not left yet: a coordinator decides on one,
     *     and others may name it, before its turn to leave has come
     */
    void endPass(boolean mayBeDeleted, Set<Long> notLeft) {
        sample.all().forEach((name, named) -> {
            List<Original> originals = all(Original.class, named);
            for (Claim claim : all(Claim.class, named)) {
                boolean holds = originals.stream().anyMatch(original -> holds(claim, original));
                if (!holds && (!claim.isSettled || notLeft.contains(name))) {
                    notYet++;
                } else if (originals.isEmpty() && (mayBeDeleted || isPlace(claim.original))) {
                    notJudged++;
                } else {
                    judged++;
                    if (!holds) {
                        report(claim, originals);
                    }
                }
            }
        });
        sample.endPass();
    }

    private static <T> List<T> all(Class<T> kind, List<Named> named) {
        return named.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** Whether it is the id of a record of the input that has none: nothing on {@code unique} says such an id. */
    private boolean isPlace(String id) {
        return !topics.ofVerdicts()
                && Position.of(id)
                        .filter(place -> topics.isInput(place.topic()))
                        .isPresent();
    }

    private void report(Claim claim, List<Original> originals) {
        if (originals.isEmpty()) {
            findings.add("no original", () -> claim.place + " names " + claim.original + ", which is not unique");
            return;
        }
        double most = originals.stream()
                .mapToDouble(original -> similarity(claim, original))
                .max()
                .orElse(0);
        findings.add(
                most >= threshold ? "misreported" : "below threshold",
                () -> claim.place + " names " + claim.original + ": expected a similarity of at least " + threshold
                        + ", as it says, found " + most + " by their texts and " + claim.similarity + " said");
    }

    PromiseReport report() {
        boolean ofVerdicts = topics.ofVerdicts();
        findings.note(sample.isPart(), sample.note("originals"));
        findings.note(
                notJudged,
                ofVerdicts
                        ? "duplicates name a document of a seed, or one of which the verdict may be deleted"
                        : "duplicates name a document without an id, of a seed that is gone, or one that is deleted"
                                + " from unique");
        findings.note(notYet, "duplicates name a document that has not left yet");
        findings.note(judgedByOthers, "duplicates were judged by other settings: their similarity is not checked");
        findings.note(
                !ofVerdicts && topics.hasDuplicatesWithoutText(), "texts are not compared, as duplicates are verdicts");
        return findings.report(topics.promise("valid-reference"), judged, "duplicates");
    }
}
