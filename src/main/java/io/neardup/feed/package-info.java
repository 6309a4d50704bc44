/**
 * Files of many formats to records: {@link io.neardup.feed.Feed} tells the format of each file by its content, and a
 * {@link io.neardup.feed.FormatReader} a format gives its records. What is broken is counted, named and passed over.
 */
@NullMarked
package io.neardup.feed;

import org.jspecify.annotations.NullMarked;
