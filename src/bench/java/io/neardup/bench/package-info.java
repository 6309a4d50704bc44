/** Measures the service beside a passthrough, on a broker of its own, with generated or recorded documents. */
@NullMarked
package io.neardup.bench;

import org.jspecify.annotations.NullMarked;
