/** The commands: options in, report out. */
@NullMarked
package io.neardup.tools.cli;

import org.jspecify.annotations.NullMarked;
