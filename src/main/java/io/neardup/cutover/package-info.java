/** What is noted of a cutover, by which one index hands its input over to another, and what follows from it. */
@NullMarked
package io.neardup.cutover;

import org.jspecify.annotations.NullMarked;
