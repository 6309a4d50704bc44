/**
 * The commands: options in, report out.
 *
 * <p>Internal.
 */
@NullMarked
package io.neardup.tools.cli;

import org.jspecify.annotations.NullMarked;
