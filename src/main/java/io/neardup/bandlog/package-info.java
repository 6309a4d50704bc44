/** The bucket table's changelog: what is written, what is read back, and the snapshot that saves reading most of it. */
@NullMarked
package io.neardup.bandlog;

import org.jspecify.annotations.NullMarked;
