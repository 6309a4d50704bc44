package io.neardup.record;

/** What a record turned out to be: a {@link Document}, or a {@link Rejection} for the dead-letter topic. */
public sealed interface ReadResult permits Document, Rejection {}
