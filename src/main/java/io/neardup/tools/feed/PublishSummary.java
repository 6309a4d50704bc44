package io.neardup.tools.feed;

/**
 * What was sent.
 *
 * @param records of the files, those that were sent before included
 * @param before records that an earlier run had sent
 * @param sent by this run
 * @param tooLarge records that the topic does not take
 * @param stopped before the end of the files
 * @param skippedTotals what of the files was no record
 * @param seconds from the first record to the last acknowledgement
 */
public record PublishSummary(
        long records,
        long before,
        long sent,
        long tooLarge,
        boolean stopped,
        SkippedTotals skippedTotals,
        double seconds) {}
