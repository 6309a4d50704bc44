/** The commands: they read options, call what does the work, and print. */
@NullMarked
package io.neardup.cli;

import org.jspecify.annotations.NullMarked;
