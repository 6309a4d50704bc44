/** Helpers of the tests. */
@NullMarked
package io.neardup.testing;

import org.jspecify.annotations.NullMarked;
