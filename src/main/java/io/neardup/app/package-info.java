/** The service against a cluster: what must be there before it starts, starting, stopping. */
@NullMarked
package io.neardup.app;

import org.jspecify.annotations.NullMarked;
