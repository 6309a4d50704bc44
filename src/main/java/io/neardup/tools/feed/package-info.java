/**
 * Readers of files that others wrote, and sending to the input, also of dead letters again.
 *
 * <p>Internal.
 */
@NullMarked
package io.neardup.tools.feed;

import org.jspecify.annotations.NullMarked;
