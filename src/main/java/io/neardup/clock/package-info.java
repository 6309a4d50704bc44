/** The time of day of this process, which no step of the host's clock turns back. */
@NullMarked
package io.neardup.clock;

import org.jspecify.annotations.NullMarked;
