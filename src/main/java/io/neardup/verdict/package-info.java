/** What became of a record: one small JSON object for each record of the input. */
@NullMarked
package io.neardup.verdict;

import org.jspecify.annotations.NullMarked;
