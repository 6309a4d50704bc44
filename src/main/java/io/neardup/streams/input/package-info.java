/** The consumer of the input, and the gate by which homes tell it where to read and when to wait. */
@NullMarked
package io.neardup.streams.input;

import org.jspecify.annotations.NullMarked;
