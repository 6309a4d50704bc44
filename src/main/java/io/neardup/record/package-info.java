/** From the bytes of a record to a document or the reason why it is none, names of headers, and the verdict as JSON. */
@NullMarked
package io.neardup.record;

import org.jspecify.annotations.NullMarked;
