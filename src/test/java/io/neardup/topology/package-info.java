/** The topology in one thread without a broker; with one partition of each topic, so that routing is not seen here. */
@org.jspecify.annotations.NullMarked
package io.neardup.topology;
