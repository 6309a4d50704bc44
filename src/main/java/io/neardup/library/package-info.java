/**
 * The service's decisions without a cluster: {@link io.neardup.library.Deduplicator}.
 *
 * <p>Internal, but for {@link Deduplicator}.
 */
@org.jspecify.annotations.NullMarked
package io.neardup.library;
