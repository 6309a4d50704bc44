/** Indexes that earlier releases have made, as bytes that are kept. */
@org.jspecify.annotations.NullMarked
package io.neardup.upgrade;
