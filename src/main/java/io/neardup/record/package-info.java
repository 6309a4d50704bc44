/**
 * From the bytes of a record to a document or the reason why it is none, names of headers, and the verdict as JSON.
 *
 * <p>Internal, but for {@link Document}, {@link DocumentReader}, {@link InputRecord}, {@link RawText},
 * {@link Reason}, {@link RecordHeader}, {@link Rejection}, {@link Story}, {@link Verdict}, {@link VerdictCodec}.
 */
@NullMarked
package io.neardup.record;

import org.jspecify.annotations.NullMarked;
