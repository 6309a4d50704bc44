/** What became of documents, told by the topics alone: whether the promises were kept, and where one document went. */
@NullMarked
package io.neardup.audit;

import org.jspecify.annotations.NullMarked;
