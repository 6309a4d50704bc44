/**
 * The consumer of a stream thread: what it may read, from where, and who reads it.
 *
 * <p>Internal.
 */
@NullMarked
package io.neardup.streams.input;

import org.jspecify.annotations.NullMarked;
