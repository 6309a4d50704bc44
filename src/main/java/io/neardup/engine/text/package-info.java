/**
 * From raw text, or HTML, to normalized text and shingles.
 *
 * <p>Internal.
 */
@NullMarked
package io.neardup.engine.text;

import org.jspecify.annotations.NullMarked;
