package io.neardup.tools.local;

/** Is told how a local run gets on, by the thread that runs it. */
public interface LocalProgress {
    /** Something other than documents takes time now. */
    void phase(String what);

    /** How far the documents are: several times a second while they are on their way, and once at the end. */
    void update(String text);
}
