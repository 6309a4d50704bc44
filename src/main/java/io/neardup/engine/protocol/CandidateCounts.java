package io.neardup.engine.protocol;

/**
 * What a coordinator counted of candidates since its start.
 *
 * @param asked how many candidates each document that is decided asked about
 * @param compared with how many of them each of these was compared by its evidence
 * @param dropped left out, as a document or a question had too many
 * @param outranked how many of these were likely matches by their sketches, but others of the same question were
 *     likelier
 * @param unlike dropped by their sketches or outlines
 * @param verified compared with who asked, by their evidence
 * @param differences of the sketches of each candidate that documents asked about and the asker's
 * @param sketches of originals that are at hand now
 * @param sketchBytes heap that these and outlines take
 */
public record CandidateCounts(
        Tally asked,
        Tally compared,
        long dropped,
        long outranked,
        long unlike,
        long verified,
        Tally differences,
        int sketches,
        long sketchBytes) {

    /** How many candidates were asked about by documents that are decided. */
    public long askedTotal() {
        return asked.sum();
    }

    static CandidateCounts of(Decisions decisions, VerificationHandler answers, Originals originals) {
        Sifting sifting = answers.sifting();
        return new CandidateCounts(
                decisions.candidatesAsked(),
                decisions.candidatesCompared(),
                decisions.candidatesDropped() + sifting.leftOut(),
                sifting.leftOut(),
                sifting.unlike(),
                answers.verified(),
                sifting.sketchDifferences(),
                originals.sketches().size(),
                originals.sketches().bytes() + sifting.outlineBytes());
    }
}
