/** Raw text to canonical text, to tokens, to the 64-bit hashes of shingles; nothing but the JDK. */
@NullMarked
package io.neardup.text;

import org.jspecify.annotations.NullMarked;
