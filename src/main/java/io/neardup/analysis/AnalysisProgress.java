package io.neardup.analysis;

/** Is told what an analysis is doing. */
@FunctionalInterface
public interface AnalysisProgress {
    /** What it does and how far it is; may be called often. */
    void update(String text);
}
