/** Locality-sensitive hashing: bands, bucket keys, the S-curve, and bands computed from targets; nothing but the JDK. */
@NullMarked
package io.neardup.lsh;

import org.jspecify.annotations.NullMarked;
