package io.neardup.tools.analysis;

import io.neardup.tools.feed.SkippedTotals;

/** Is told what an analysis is doing. */
@FunctionalInterface
public interface AnalysisProgress {
    /** What it does and how far it is; may be called often. */
    void update(String text);

    /** What of the files was no record, once they were read. */
    default void skippedTotals(SkippedTotals skippedTotals) {}
}
