/** Shingles to a fixed-size signature, and the evidence by which two documents are judged similar. */
@NullMarked
package io.neardup.sketch;

import org.jspecify.annotations.NullMarked;
