/** The text of HTML, whatever the markup is, within bounds. */
@NullMarked
package io.neardup.html;

import org.jspecify.annotations.NullMarked;
