/** Texts of documents that have left, compared for people. */
@NullMarked
package io.neardup.texts;

import org.jspecify.annotations.NullMarked;
