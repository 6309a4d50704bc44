/** Benchmarks of single steps, run by JMH; the package bench measures the whole service. */
@NullMarked
package io.neardup.jmh;

import org.jspecify.annotations.NullMarked;
