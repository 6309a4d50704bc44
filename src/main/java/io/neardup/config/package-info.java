/** Typed and validated settings, and what of them shapes an index. */
@NullMarked
package io.neardup.config;

import org.jspecify.annotations.NullMarked;
