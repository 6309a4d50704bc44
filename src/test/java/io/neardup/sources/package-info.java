/**
 * What five texts on near-duplicate documents state, checked against this code: {@link io.neardup.sources.SourceTable}
 * is the list of the statements, and a test of one bears its id ({@link io.neardup.sources.StatementTest}).
 */
@org.jspecify.annotations.NullMarked
package io.neardup.sources;
