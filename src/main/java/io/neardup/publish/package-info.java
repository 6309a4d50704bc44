/** Sends the records of a feed to a topic of a cluster, and goes on where it was after a stop. */
@NullMarked
package io.neardup.publish;

import org.jspecify.annotations.NullMarked;
