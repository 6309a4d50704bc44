/** The layers of the code, as rules. */
@org.jspecify.annotations.NullMarked
package io.neardup.architecture;
