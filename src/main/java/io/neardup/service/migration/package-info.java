/**
 * How an index is begun with seeds, and takes the place of another.
 *
 * <p>Internal.
 */
@NullMarked
package io.neardup.service.migration;

import org.jspecify.annotations.NullMarked;
