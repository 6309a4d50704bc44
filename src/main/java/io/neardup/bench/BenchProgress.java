package io.neardup.bench;

/** Is told what a benchmark is doing. */
public interface BenchProgress {
    /** Something new has begun. */
    void phase(String what);

    /** How far it is; called several times a second. */
    void update(String text);
}
