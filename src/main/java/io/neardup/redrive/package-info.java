/** Dead letters back to the input, each once. */
@NullMarked
package io.neardup.redrive;

import org.jspecify.annotations.NullMarked;
