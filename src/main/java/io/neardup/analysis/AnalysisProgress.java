package io.neardup.analysis;

/** Is told what an analysis is doing. */
public interface AnalysisProgress {
    /** Something new has begun. */
    void phase(String what);

    /** How far it is; may be called often. */
    void update(String text);
}
