/** The originals of homes on disk: what is committed, and up to where in the changelog it reaches. */
@NullMarked
package io.neardup.originals;

import org.jspecify.annotations.NullMarked;
