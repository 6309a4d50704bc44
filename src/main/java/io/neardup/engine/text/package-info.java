/** From raw text, or HTML, to normalized text and shingles. */
@NullMarked
package io.neardup.engine.text;

import org.jspecify.annotations.NullMarked;
