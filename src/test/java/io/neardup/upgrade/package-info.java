/** Indexes that earlier releases have made. */
@org.jspecify.annotations.NullMarked
package io.neardup.upgrade;
