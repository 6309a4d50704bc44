package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.tools.analysis.DocumentLines.Rejected;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Settings for documents like some that were measured, and what they rest on.
 *
 * @param lines of the file, without blank ones
 * @param rejected lines that were no documents, by reason
 * @param documents that were compared
 * @param askers those that were compared with all others
 * @param pairs that were measured, or that measured ones stand for: those of which one is an asker
 * @param compared pairs that were measured, as they are and not for others
 * @param typicalCharacters that half of the texts have at the most
 * @param measured all shingles that were tried
 * @param finding what the similarities say
 * @param proposal of the deepest valley if the documents part there, else the convention
 * @param alternatives what could be chosen, first that of the deepest valley; empty without a valley
 * @param boilerplate what holds most of the pairs together that would be found with it; what was measured is without
 */
public record Tuning(
        long lines,
        List<Rejected> rejected,
        int documents,
        int askers,
        long pairs,
        int compared,
        @JsonIgnore int typicalCharacters,
        @JsonProperty("shingles") List<MeasuredShingle> measured,
        Finding finding,
        ShingleFit proposal,
        List<Alternative> alternatives,
        @JsonIgnore Optional<Boilerplate> boilerplate) {
    /** The shingles that are tried, beside the one of the settings. */
    public static final List<String> SHINGLES = List.of(
            "char:3",
            "char:4",
            "char:5",
            "char:7",
            "char:9",
            "char:12",
            "word:1",
            "word:2",
            "word:3",
            "word:1..3",
            "stopword:3");

    /** Fewer documents have hardly a copy among them. */
    public static final int DOCUMENTS_MIN = 20;

    /** Texts of fewer characters have too few shingles to tell copies from look-alikes. */
    public static final int CHARACTERS_MIN = 100;

    /** Unique documents that costs are weighed at. */
    @JsonProperty
    public long indexSize() {
        return proposal.indexSize();
    }

    /** What was measured by a shingle; empty if it was not tried, or leaves too little of the documents. */
    public Optional<MeasuredShingle> measured(String shingle) {
        return measured.stream()
                .filter(tried -> tried.shingle().equals(shingle))
                .findFirst();
    }

    /** What was measured by the shingle of the proposal. */
    public MeasuredShingle proposed() {
        return measured(proposal.shingle()).orElseThrow();
    }

    /** The shingles that the proposal leaves out. */
    public Optional<BoilerplateShingles> excluded() {
        return Optional.ofNullable(proposed().shingling().boilerplate());
    }

    /** Whether the texts are too short to be told apart by any shingle. */
    public boolean isTooShort() {
        return typicalCharacters < CHARACTERS_MIN;
    }

    /**
     * A threshold that could be chosen.
     *
     * @param halves of the random halves of the documents, {@link io.neardup.engine.similarity.Valley#HALVES}, that
     *     propose it, or one near to it
     * @param pairs at or above it
     * @param below the most similar of the pairs that it keeps apart, a few
     * @param above the least similar of the pairs that it calls duplicates, a few
     */
    public record Alternative(
            String shingle,
            double threshold,
            int halves,
            double pairs,
            List<PairExample> below,
            List<PairExample> above) {
        private static final int EXAMPLES = 3;

        static Alternative of(MeasuredShingle measured, double threshold, int halves) {
            return new Alternative(
                    measured.shingle(),
                    threshold,
                    halves,
                    measured.counts().pairsFrom(threshold),
                    measured.below(threshold, EXAMPLES),
                    measured.from(threshold, EXAMPLES));
        }
    }

    /**
     * Two documents and how similar they are by some shingle.
     *
     * @param first the one that comes first in the file
     * @param jaccard 0 to 1
     */
    public record PairExample(
            ComparedText first,
            ComparedText second,
            @JsonProperty("similarity") double jaccard) {}

    /** What the similarities of a file's pairs say. Only {@link #PARTED} is a reason to leave the convention. */
    public enum Finding {
        /** There is a valley between the unrelated and the copies, and halves of the documents have it too. */
        PARTED,
        /** There is a valley, but halves of the documents have others, or it is shallow, or the texts are too short. */
        UNSURE,
        /** There are copies, but no shingle has a valley before them. */
        NO_VALLEY,
        /** Nearly equal copies alone: any threshold below them finds the same. */
        EXACT_COPIES,
        /** No two documents are alike. */
        NO_COPIES,
        /** Nearly all pairs are alike: nothing is unrelated. */
        ALL_ALIKE,
        /** All texts are equal. */
        ALL_EQUAL,
        /** Fewer documents than tell anything. */
        TOO_FEW;

        /** Its name for programs, such as {@code no-copies}. */
        @JsonValue
        public String code() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
