/** Record bytes to a document, or to a rejection that says what was expected, what was found and where. */
@NullMarked
package io.neardup.document;

import org.jspecify.annotations.NullMarked;
