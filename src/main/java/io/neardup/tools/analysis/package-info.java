/**
 * Settings found from documents: tuning and evaluation.
 *
 * <p>Internal.
 */
@NullMarked
package io.neardup.tools.analysis;

import org.jspecify.annotations.NullMarked;
