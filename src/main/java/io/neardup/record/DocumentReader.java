package io.neardup.record;

/**
 * Turns records into documents. Whatever the bytes are, the answer is a result. Only an unreachable schema registry is
 * an exception.
 */
public interface DocumentReader {

    /**
     * What a record is.
     *
     * @throws SchemaRegistry.UnreachableException where it takes a schema that cannot be fetched
     */
    Result read(InputRecord record);

    /** What a record turned out to be: a {@link Document}, or a {@link Rejection} for the dead-letter topic. */
    sealed interface Result permits Document, Rejection {}
}
