package io.neardup.record;

/** Turns records into documents. Whatever the bytes are, the answer is a result and never an exception. */
public interface DocumentReader {

    ReadResult read(InputRecord record);
}
