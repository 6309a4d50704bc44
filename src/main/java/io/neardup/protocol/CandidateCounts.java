package io.neardup.protocol;

/**
 * What a home counted of candidates since its start.
 *
 * @param asked about by documents that are decided
 * @param dropped left out, as a document or a question had too many
 * @param outranked how many of these were likely matches by their sketches, but others of the same question were
 *     likelier
 * @param unlike dropped by their sketches or outlines
 * @param verified compared with who asked, by their evidence
 * @param sketches of originals that are at hand now
 * @param sketchBytes heap that these and outlines take
 */
public record CandidateCounts(
        long asked, long dropped, long outranked, long unlike, long verified, int sketches, long sketchBytes) {

    static CandidateCounts of(Decisions decisions, Answers answers, Originals originals) {
        Sifting sifting = answers.sifting();
        return new CandidateCounts(
                decisions.candidatesAsked(),
                decisions.candidatesDropped() + sifting.leftOut(),
                sifting.leftOut(),
                sifting.unlike(),
                answers.verified(),
                originals.sketches().size(),
                originals.sketches().bytes() + sifting.outlineBytes());
    }
}
