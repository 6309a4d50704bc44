/**
 * The service from start to stop, and what it watches meanwhile.
 *
 * <p>Internal, but for {@link DedupService}.
 */
@NullMarked
package io.neardup.service.lifecycle;

import org.jspecify.annotations.NullMarked;
