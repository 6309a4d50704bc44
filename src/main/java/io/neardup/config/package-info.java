/**
 * The settings, what binds an index to them, and how a document is signed by them.
 *
 * <p>Internal, but for {@link ConfigurationException}, {@link NeardupConfig}, {@link Settings}, {@link Signing}.
 */
@NullMarked
package io.neardup.config;

import org.jspecify.annotations.NullMarked;
