/** Questions from outside: would a document be a duplicate, and of what? They leave no trace in the index. */
@NullMarked
package io.neardup.check;

import org.jspecify.annotations.NullMarked;
