package io.neardup.protocol;

/**
 * What else a home counted since its start.
 *
 * @param askedAgain pending documents that asked again, as no answer had come
 * @param questionsDropped questions to it, as too many waited for their turn
 * @param expired originals whose retention was over
 * @param forgotten originals that expired, were taken back, replaced or withdrawn
 */
public record HomeCounts(long askedAgain, long questionsDropped, long expired, long forgotten) {

    static HomeCounts of(Questions questions, Answers answers, Forgetting forgetting) {
        return new HomeCounts(questions.askedAgain(), answers.dropped(), forgetting.expired(), forgetting.forgotten());
    }
}
