/** The benchmark: the service against a passthrough, on a broker of its own, with generated documents. */
@NullMarked
package io.neardup.bench;

import org.jspecify.annotations.NullMarked;
