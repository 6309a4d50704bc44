/** What the service counts. */
@NullMarked
package io.neardup.streams.metrics;

import org.jspecify.annotations.NullMarked;
