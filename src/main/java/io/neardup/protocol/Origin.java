package io.neardup.protocol;

import org.jspecify.annotations.Nullable;

/**
 * What the record of a document says beside its text.
 *
 * @param key null for a record without one
 * @param timestampMillis event time, at least 0
 */
public record Origin(@Nullable RecordKey key, long timestampMillis) {}
