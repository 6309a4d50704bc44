/** The whole service on one machine: the embedded broker, the feed it reads and the files of its result. */
@NullMarked
package io.neardup.local;

import org.jspecify.annotations.NullMarked;
