/** Banding: band keys, the S-curve that relates them to similarity, and the table of buckets in memory. */
@NullMarked
package io.neardup.lsh;

import org.jspecify.annotations.NullMarked;
