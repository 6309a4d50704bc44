/**
 * Bands, and the buckets of documents that share one.
 *
 * <p>Internal.
 */
@NullMarked
package io.neardup.engine.lsh;

import org.jspecify.annotations.NullMarked;
