/** What an instance counts of its work, for those who watch it. Of what is committed alone. */
@NullMarked
package io.neardup.metrics;

import org.jspecify.annotations.NullMarked;
