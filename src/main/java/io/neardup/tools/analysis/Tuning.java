package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import io.neardup.tools.analysis.DocumentLines.Rejected;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Settings for documents like some that were measured, and what they rest on.
 *
 * @param lines of the file, without blank ones
 * @param rejected lines that were no documents, by reason
 * @param documents that were compared
 * @param anchors those that were compared with all others
 * @param pairs of all documents
 * @param compared pairs that were measured, as they are and not for others
 * @param typicalCharacters that half of the texts have at the most
 * @param measured all shingles that were tried
 * @param finding what the similarities say
 * @param proposal of the deepest valley if copies begin there, else of the settings as they are
 * @param alternatives what could be chosen, first that of the deepest valley; empty without a valley
 * @param boilerplate what holds most of the pairs together that would be found; null where nothing does
 */
public record Tuning(
        long lines,
        List<Rejected> rejected,
        int documents,
        @JsonProperty("askers") int anchors,
        long pairs,
        int compared,
        @JsonIgnore int typicalCharacters,
        @JsonProperty("shingles") List<MeasuredShingle> measured,
        Finding finding,
        ShingleFit proposal,
        List<Alternative> alternatives,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boilerplate boilerplate) {
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

    public MeasuredShingle proposed() {
        return measured.stream()
                .filter(tried -> tried.shingle().equals(proposal.shingle()))
                .findFirst()
                .orElseThrow();
    }

    /** Whether the texts are too short to be told apart by any shingle. */
    public boolean isTooShort() {
        return typicalCharacters < CHARACTERS_MIN;
    }

    /**
     * What of a proposal is held together by shingles that many unlike documents hold.
     *
     * @param pairs at or above the threshold
     * @param left those of them that stay there without such shingles
     */
    public record Boilerplate(String shingle, double threshold, double pairs, double left) {
        private static final double MOST = 0.5;

        /** Fewer pairs say nothing. */
        private static final int PAIRS_MIN = 10;

        /** The share of the pairs that boilerplate alone holds above the threshold. */
        @JsonProperty
        public double share() {
            return pairs == 0 ? 0 : Math.max(0, 1 - left / pairs);
        }

        /** @param seen of the pairs those that were looked at */
        boolean isMost(double seen) {
            return pairs * seen >= PAIRS_MIN && share() > MOST;
        }
    }

    /**
     * A threshold that could be chosen.
     *
     * @param halves of the {@value io.neardup.engine.similarity.Valley#HALVES} random halves of the documents that
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

    /** Two documents, in the order of the file, and how similar they are by some shingle. */
    public record PairExample(
            ComparedText first,
            ComparedText second,
            @JsonProperty("similarity") double jaccard) {}

    /** What the similarities of a file's pairs say. Only {@link #PARTED} is a reason to change the settings. */
    public enum Finding {
        /** There is a valley between the unrelated and the copies, and halves of the documents have it too. */
        PARTED,
        /** There is a valley, but halves of the documents have others, or it is shallow, or the texts are too short. */
        UNSURE,
        /** Most of what would be found is held together by boilerplate. */
        BOILERPLATE,
        /** There are copies, but no shingle has a valley before them. */
        NO_VALLEY,
        /** Nearly equal copies alone: any threshold below them finds the same. */
        EXACT_COPIES,
        NO_COPIES,
        /** Nearly all pairs are alike: nothing is unrelated. */
        ALL_ALIKE,
        /** Fewer documents than tell anything. */
        TOO_FEW;

        /** Its name for programs, such as {@code no-copies}. */
        @JsonValue
        public String code() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }
}
