/** Benchmarks of single steps, run by JMH; the figures of the whole service come from the command {@code bench}. */
@NullMarked
package io.neardup.jmh;

import org.jspecify.annotations.NullMarked;
