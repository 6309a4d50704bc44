/**
 * A run on this machine, with a broker of its own.
 *
 * <p>Internal.
 */
@NullMarked
package io.neardup.tools.local;

import org.jspecify.annotations.NullMarked;
