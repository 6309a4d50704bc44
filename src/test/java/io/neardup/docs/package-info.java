/** The README and the chapters: what they say is held against the code. */
@org.jspecify.annotations.NullMarked
package io.neardup.docs;
