/** What settings would find in documents of one's own: samples, exact similarities of all pairs, and what they say. */
@NullMarked
package io.neardup.analysis;

import org.jspecify.annotations.NullMarked;
