package io.neardup.tools.local;

/** Is told how a local run gets on, by the thread that runs it. */
public interface LocalProgress {

    /** Something other than documents takes time now. */
    void phase(String what);

    /** Several times a second while documents are on their way, and once at the end. */
    void update(LocalSnapshot snapshot);
}
