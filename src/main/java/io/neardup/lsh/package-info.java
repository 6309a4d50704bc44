/**
 * Locality-sensitive hashing by bands: cutting signatures into bands, the S-curve, choosing bands and rows from
 * targets, and the buckets in memory.
 */
@NullMarked
package io.neardup.lsh;

import org.jspecify.annotations.NullMarked;
