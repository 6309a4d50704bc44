/** The settings, what binds an index to them, and how a document is signed by them. */
@NullMarked
package io.neardup.config;

import org.jspecify.annotations.NullMarked;
