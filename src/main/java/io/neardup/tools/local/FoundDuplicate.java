package io.neardup.tools.local;

/** A duplicate and the document it repeats, by their ids, which need not be distinct. */
public record FoundDuplicate(String id, String originalId) {}
