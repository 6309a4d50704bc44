/** The service from start to stop, and what it watches meanwhile. */
@NullMarked
package io.neardup.service.lifecycle;

import org.jspecify.annotations.NullMarked;
