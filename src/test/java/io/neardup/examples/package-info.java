/** What the guide shows of neardup in applications of one's own. */
@org.jspecify.annotations.NullMarked
package io.neardup.examples;
