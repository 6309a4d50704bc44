/** Messages and state as bytes. Every layout starts with its version; an unknown one is an error that says so. */
@NullMarked
package io.neardup.wire;

import org.jspecify.annotations.NullMarked;
