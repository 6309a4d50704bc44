package io.neardup.engine.protocol;

/**
 * What else a coordinator counted since its start.
 *
 * @param askedAgain pending documents that asked again, as no answer had come
 * @param questionsDropped questions to it, as too many waited for their turn
 * @param expired originals whose retention was over
 * @param forgotten originals that expired, were taken back, replaced or withdrawn
 */
public record CoordinatorCounts(long askedAgain, long questionsDropped, long expired, long forgotten) {

    static CoordinatorCounts of(VerificationClient questions, VerificationHandler answers, Forgetting forgetting) {
        return new CoordinatorCounts(
                questions.askedAgain(), answers.dropped(), forgetting.expired(), forgetting.forgotten());
    }
}
