/** Bands, and the buckets of documents that share one. */
@NullMarked
package io.neardup.engine.lsh;

import org.jspecify.annotations.NullMarked;
