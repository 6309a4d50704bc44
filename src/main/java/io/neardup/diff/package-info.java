/** Where the verdicts of two services on the same input part. */
@NullMarked
package io.neardup.diff;

import org.jspecify.annotations.NullMarked;
