/**
 * What is asked of a run afterwards: whether the promises held, why a document was decided so, and how two runs differ.
 *
 * <p>Internal.
 */
@NullMarked
package io.neardup.tools.audit;

import org.jspecify.annotations.NullMarked;
