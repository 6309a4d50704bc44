/** Settings found from documents: tuning and evaluation. */
@NullMarked
package io.neardup.tools.analysis;

import org.jspecify.annotations.NullMarked;
