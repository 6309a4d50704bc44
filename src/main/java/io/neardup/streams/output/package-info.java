/** What a stream thread writes with: its producer, and the transaction that all its tasks share. */
@NullMarked
package io.neardup.streams.output;

import org.jspecify.annotations.NullMarked;
