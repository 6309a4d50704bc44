/**
 * What the service counts.
 *
 * <p>Internal.
 */
@NullMarked
package io.neardup.streams.metrics;

import org.jspecify.annotations.NullMarked;
