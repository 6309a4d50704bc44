/**
 * What the service keeps: buckets, originals and progress, in memory, on the disk and in changelogs; and how it is laid
 * out in bytes.
 *
 * <p>Internal.
 */
@NullMarked
package io.neardup.streams.store;

import org.jspecify.annotations.NullMarked;
